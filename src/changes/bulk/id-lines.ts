/**
 * A list of ids as bytes: the file beside its journal, its digest, and the JSON of its batches. All of it is made once, when
 * the change is planned, so that nothing has to be made of a million ids once a person has agreed.
 */
import { createHash } from 'node:crypto';
import { MAX_IDS_PER_MOVE } from '../../service/videos.ts';

/** Ids in a piece: the longer texts of more of them would cost V8 twice the time. */
const IDS_AT_ONCE = 4_000;

/** What was made of a list when it was planned, for as long as that is there. */
interface Kept {
  /** For its digest: its file is to hold the same. */
  readonly pieces: readonly Buffer[];
  /** The JSON array of each batch of a move, so that nothing has to be made when it is sent. */
  readonly batches: readonly Buffer[];
}
const kept = new WeakMap<readonly string[], Kept>();

/** The file of a list of ids, one a line without a line break at the end, piece by piece. */
export const piecesOf = (ids: readonly string[]): Iterable<Buffer> => kept.get(ids)?.pieces ?? eachPiece(ids);

/** The JSON array of the ids from one place up to another. */
export function jsonOf(ids: readonly string[], from: number, to: number): Buffer {
  const isBatch = from % MAX_IDS_PER_MOVE === 0 && to === Math.min(from + MAX_IDS_PER_MOVE, ids.length);
  const ready = isBatch ? kept.get(ids)?.batches[from / MAX_IDS_PER_MOVE] : undefined;
  return ready ?? Buffer.from(JSON.stringify(ids.slice(from, to)));
}

function* eachPiece(ids: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    yield Buffer.from((at === 0 ? '' : '\n') + ids.slice(at, at + IDS_AT_ONCE).join('\n'));
}

function* eachBatch(ids: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < ids.length; at += MAX_IDS_PER_MOVE) yield jsonOf(ids, at, Math.min(at + MAX_IDS_PER_MOVE, ids.length));
}

/** SHA-256 of the list as its file has it, with a line break at the end; in hexadecimal. By it the same ids are known again. */
export function digestOfIds(ids: readonly string[]): string {
  const digest = createHash('sha256');
  for (const piece of piecesOf(ids)) digest.update(piece);
  return digest.update('\n').digest('hex');
}

/** The same of ids that a person is about to be asked about: what they will need as bytes is made now, and kept as long as the list. */
export function digestOfPlanned(ids: readonly string[]): string {
  kept.set(ids, { pieces: [...eachPiece(ids)], batches: [...eachBatch(ids)] });
  return digestOfIds(ids);
}
