import { asSentence, inQuotes, type Sentence, sentence } from '../text/sentence.ts';
/** The origin of an API, and the prefix of every path, without a slash at its end. */
export interface ApiAddress {
  readonly origin: Sentence;
  readonly prefix: Sentence;
  readonly loopback: boolean;
}

/** A part of a parsed URL, which holds no space or quotation mark. */
const urlPart = (text: string): Sentence => asSentence(text);
export const originText = ({ origin }: URL): Sentence => urlPart(origin);

/** An address that may be a stranger’s, as a parsed URL writes it, or in quotes. */
export const urlText = (text: string): Sentence => (URL.canParse(text) ? urlPart(new URL(text).href) : inQuotes(text));

/** The hosts for which http is enough, as a parsed URL writes them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);

/** What people copy from the API's documentation: the root with the paths that this server adds to it. */
const WITH_API_PATH = /\/v1(?:\/(?:channels|projects|plans|videos|logs)(?:\/.*)?)?\/*$/i;

/** Whether it would be an address with a scheme before it. */
const lacksScheme = (text: string): boolean =>
  !/^[a-z]*:?\/\//i.test(text) && /^(?:[\w-]+\.)+[\w-]+(?=[:/?#]|$)/.test(text) && URL.canParse(`https://${text}`);

/** What was pasted without what follows the root of the API. */
export const withoutApiPath = (text: string): string => text.replace(/[?#].*$/s, '').replace(WITH_API_PATH, '');

/** Reads a base URL, which may have a path, or returns its problem. The text is not repeated: it may hold a password. */
export function readApiAddress(text: string): ApiAddress | { readonly problem: Sentence } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return {
      problem: sentence`must be an address like https://api.example.com${lacksScheme(text) ? ', with https:// at its beginning' : ''}.`,
    };
  const loopback = isLoopbackHost(url.hostname);
  if (url.protocol === 'http:' && !loopback) return { problem: sentence`must start with https:// (http is for loopback only).` };
  if (url.username !== '' || url.password !== '') return { problem: sentence`must not hold a user name or password.` };
  if (url.port === '0') return { problem: sentence`must not have the port 0.` };
  // A parsed URL drops an empty query or fragment.
  const right = () => sentence`Here that is ${originText(url)}${urlPart(url.pathname.replace(WITH_API_PATH, '').replace(/\/+$/, ''))}`;
  if (text.includes('?') || text.includes('#')) return { problem: sentence`must not hold a query or fragment. ${right()}` };
  if (WITH_API_PATH.test(url.pathname)) return { problem: sentence`must end before /v1, which this server adds itself. ${right()}` };
  return { origin: originText(url), prefix: urlPart(url.pathname.replace(/\/+$/, '')), loopback };
}
