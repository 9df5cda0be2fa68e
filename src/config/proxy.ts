import { decodedOrUndefined } from '../platform/decode-component.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { IN_MARKS, isInMarks } from './quotation-marks.ts';

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, for the settings and for the client alike. Only https
 * goes through one, since http is for loopback, which no proxy is between.
 */
export interface ProxySettings {
  readonly variable: string;
  /** Its address as given. May hold a user name and password: never to be shown. */
  readonly address: string;
  /** Hosts that are reached without it, separated by commas; `*` for all. */
  readonly noProxy: string;
}

/** Reads the variables as undici does: the lower-case form first, and `HTTP_PROXY` where no `HTTPS_PROXY` is set. */
export function readProxy(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const nameOf = (name: string): string => (env[name.toLowerCase()] === undefined ? name : name.toLowerCase());
  const read = (name: string): string => env[nameOf(name)]?.trim() ?? '';
  const name = ['HTTPS_PROXY', 'HTTP_PROXY'].find((candidate) => read(candidate) !== '');
  return name === undefined ? undefined : { variable: nameOf(name), address: read(name), noProxy: read('NO_PROXY') };
}

/** The URL of the proxy, or its problem, without its text. The default scheme is http, as in other programs. */
export function proxyUrl({ variable, address }: ProxySettings): URL | { readonly problem: Sentence } {
  if (isInMarks(address)) return { problem: sentence`${word(variable)} ${IN_MARKS}` };
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return { problem: sentence`${word(variable)} must be an address like http://proxy.example.com:8080.` };
  if (decodedOrUndefined(url.username) === undefined || decodedOrUndefined(url.password) === undefined)
    return { problem: sentence`${word(variable)} holds a user name or password that is not percent-encoded.` };
  return url;
}

export function proxyPassword(proxy: ProxySettings | undefined): string | undefined {
  const url = proxy && proxyUrl(proxy);
  return url === undefined || 'problem' in url ? undefined : decodedOrUndefined(url.password) || undefined;
}
