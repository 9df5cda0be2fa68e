/**
 * A list of ids as bytes: the file beside its journal, and its digest. They are made once, when the change is planned, so
 * that nothing has to be made of a million ids once a person has agreed.
 */
import { createHash } from 'node:crypto';

/** Ids in a piece: the longer texts of more of them would cost V8 twice the time. */
const IDS_AT_ONCE = 4_000;

/** What was made for the digest of a list when it was planned, for as long as that is there: its file is to hold the same. */
const kept = new WeakMap<readonly string[], readonly Buffer[]>();

/** The file of a list of ids, one a line without a line break at the end, piece by piece. */
export const piecesOf = (ids: readonly string[]): Iterable<Buffer> => kept.get(ids) ?? eachPiece(ids);

function* eachPiece(ids: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    yield Buffer.from((at === 0 ? '' : '\n') + ids.slice(at, at + IDS_AT_ONCE).join('\n'));
}

/** SHA-256 of the list as its file has it, with a line break at the end; in hexadecimal. By it the same ids are known again. */
export function digestOfIds(ids: readonly string[]): string {
  const digest = createHash('sha256');
  for (const piece of piecesOf(ids)) digest.update(piece);
  return digest.update('\n').digest('hex');
}

/** The same of ids that a person is about to be asked about: what they will need as bytes is made now, and kept as long as the list. */
export function digestOfPlanned(ids: readonly string[]): string {
  kept.set(ids, [...eachPiece(ids)]);
  return digestOfIds(ids);
}
