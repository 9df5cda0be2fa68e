import { cleanText } from '../service/foreign-text.ts';

/** Nothing to clean: printable ASCII, single spaces between words. */
const PLAIN = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;
const MAX_CACHED = 20_000;

/** Remembers what a function made of the texts that it was given last; few texts make up most of a log. */
function remembered(make: (text: string) => string): (text: string) => string {
  let known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_CACHED) known = new Map();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

/** How strangers' texts are kept: the service's spelling on one line, bounded, without what can't be seen. */
export function createTextKeeper(maxLength: number) {
  const cleaned = remembered((text) => cleanText(text, maxLength));
  return {
    text: (text: string): string => (text.length <= maxLength && PLAIN.test(text) ? text : cleaned(text)),
    address: remembered((text) => cleanText(withoutPersonalParts(text), maxLength)),
  };
}

/** An address without query, fragment and user; of one that isn't a page on the web, its scheme alone. */
function withoutPersonalParts(text: string): string {
  const page = text.trim().replace(/[?#].*$/s, '');
  const scheme = /^[a-z][a-z0-9+.-]*:(?![0-9]+(?:\/|$))/i.exec(page)?.[0];
  if (scheme !== undefined && !/^https?:$/i.test(scheme)) return scheme;
  const [, slashes = '', host = '', path = ''] = /^([\\/]*)([^\\/]*)(.*)$/s.exec(page.slice(scheme?.length ?? 0)) ?? [];
  return `${scheme ?? ''}${slashes}${host.slice(host.lastIndexOf('@') + 1)}${path}`;
}
