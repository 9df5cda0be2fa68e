import { cleanText } from '../service/sanitize-text.ts';

/** Nothing to clean, nor to escape in JSON: printable ASCII, single spaces between words. */
const PLAIN = /^(?:[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*)?$/;
const MAX_REMEMBERED = 20_000;
const MAX_REMEMBERED_LENGTH = 2_000;

/** Remembers what a function made of the texts that it was given last; few texts make up most of a log. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  let known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_REMEMBERED) known = new Map();
    const made = make(text);
    if (text.length <= MAX_REMEMBERED_LENGTH) known.set(text, made);
    return made;
  };
}

/**
 * How strangers' texts are kept, as JSON: the service's spelling on one line, bounded, without what can't be seen.
 *
 * @param scrubbed takes credentials out of a text
 */
export function createTextKeeper(maxLength: number, scrubbed: (text: string) => string) {
  const kept = (text: string): string => {
    const safe = scrubbed(text);
    return safe.length <= maxLength && PLAIN.test(safe) ? `"${safe}"` : JSON.stringify(cleanText(safe, maxLength));
  };
  return {
    text: kept,
    /** The credential goes first: what is cut off may be half of it. */
    address: (text: string): string => kept(withoutPersonalParts(scrubbed(text))),
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
