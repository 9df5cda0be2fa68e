import { cleanText } from '../../service/sanitize-text.ts';

/** An address as it is kept: without query, fragment and user; of one that isn't a page on the web, its scheme alone. */
export function keptAddress(text: string, maxLength: number): string {
  const page = text.trim().replace(/[?#].*$/s, '');
  const scheme = /^[a-z][a-z0-9+.-]*:(?![0-9]+(?:\/|$))/i.exec(page)?.[0];
  if (scheme !== undefined && !/^https?:$/i.test(scheme)) return cleanText(scheme, maxLength);
  const [, slashes = '', host = '', path = ''] = /^([\\/]*)([^\\/]*)(.*)$/s.exec(page.slice(scheme?.length ?? 0)) ?? [];
  return cleanText(`${scheme ?? ''}${slashes}${host.slice(host.lastIndexOf('@') + 1)}${path}`, maxLength);
}
