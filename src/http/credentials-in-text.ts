/** What a client token or a page key looks like: also a part of one, and where other letters stand before it. */
const SECRET = /vh[mp]_[\w-]*/gi;
/** Nearly all of one: less is of no use to anybody, and a title may begin alike. */
const HAS_SECRET = /vh[mp]_[\w-]{32}/i;
/** Names that parameters with a credential have. */
const SECRET_NAME =
  /(?:token|key|secret|bearer|passw(?:or)?d|credentials?|cookie|jwt)$|^(?:pwd|auth|authorization|(?:__host-)?session(?:-\d+)?)$/i;

/** Without percent-encoding, however often it was encoded, and also where a part of it is malformed. */
function decodedWhole(text: string): string {
  const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded === text ? text : decodedWhole(decoded);
}

/** Whether a credential stands in a path or a query, by its looks or by the name of its parameter. */
export const hasCredential = ({ pathname, search, searchParams }: Pick<URL, 'pathname' | 'search' | 'searchParams'>): boolean =>
  HAS_SECRET.test(decodedWhole(`${pathname}${search}`)) || [...searchParams.keys()].some((name) => SECRET_NAME.test(name));

/** A text for the log: a secret may have been put where it doesn’t belong, into an address, or the name of a client or a tool. */
export const withoutCredentials = (text: string): string => text.replace(SECRET, '…');

/** A path for the log, as people read it. */
export const pathForLog = (path: string): string => withoutCredentials(decodedWhole(path));
