import type { IncomingMessage } from 'node:http';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { PageProblem } from '../page-problem.ts';

/** What a request may be for, by what a browser tells of it. */
export type RequestPurpose = 'entrance' | 'document' | 'api' | 'download';

const MAX_URL = 2_048;

/**
 * Refuses a request that does not come from the page itself: another Host (DNS rebinding), another Origin, a frame, a script or
 * an image of another site. Throws `PageProblem`.
 */
export function checkOrigin({ headers, method, url = '' }: IncomingMessage, origin: string): void {
  if (headers.host !== new URL(origin).host) throw refused(sentence`its Host is not this server’s`);
  // An absolute form names a host of its own; what a browser would have put in another form was not sent by one.
  const isPlain = url.startsWith('/') && url.length <= MAX_URL && new URL(`${origin}${url}`).pathname === url.split(/[?#]/)[0];
  if (!isPlain) throw refused(sentence`its address is not one of this server’s`);
  if (headers.origin !== undefined && headers.origin !== origin) throw refused(sentence`it comes from another origin`);
  if (method !== 'POST') return;
  if (headers.origin === undefined) throw refused(sentence`it does not tell its origin`);
  if (headers['content-type']?.split(';')[0]?.trim() !== 'application/json') throw new PageProblem(415, sentence`The body must be JSON.`);
}

const MODES: Readonly<Record<RequestPurpose, { readonly sites: readonly string[]; readonly destinations: readonly string[] }>> = {
  // A file, or another program, leads here. Nothing is given out.
  entrance: { sites: ['none', 'cross-site', 'same-site', 'same-origin'], destinations: ['document'] },
  document: { sites: ['none', 'same-origin'], destinations: ['document'] },
  api: { sites: ['same-origin'], destinations: ['empty', 'image'] },
  download: { sites: ['same-origin'], destinations: ['empty', 'document', 'image'] },
};

/** The same by the fetch metadata, which all current browsers send and no page can forge. */
export function checkPurpose({ headers }: IncomingMessage, purpose: RequestPurpose): void {
  const { sites, destinations } = MODES[purpose];
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers;
  if (site !== undefined && !sites.includes(String(site))) throw refused(sentence`it comes from another site`);
  if (destination !== undefined && !destinations.includes(String(destination))) throw refused(sentence`it is not made by the page itself`);
}

/** Whether a person reads the answer as it is: the browser goes to that address. */
export const isNavigation = ({ method, headers }: IncomingMessage): boolean => method === 'GET' && headers['sec-fetch-dest'] === 'document';

const refused = (why: Sentence): PageProblem => new PageProblem(403, sentence`The request was refused: ${why}. Nothing was changed.`);

const COOKIE = 'approval';

/** The cookie for one session's path. */
export const cookieOf = (secret: string, path: string): string => `${COOKIE}=${secret}; Path=${path}; HttpOnly; SameSite=Strict`;

export function cookieIn({ headers }: IncomingMessage): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}
