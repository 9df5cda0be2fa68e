import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { exists, fsyncFolder, linkExclusive, makeFolder, namesInFolder, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { idsWith } from '../journal/file-names.ts';
import { withRecordLock } from '../journal/record-lock.ts';
import { PROPOSALS_LOCK } from './disk.ts';
import { type Ending, EndingSchema, FORMAT } from './disk-file.ts';
import { type FileCopy, FileCopySchema, moveCopies, removeCopies } from './file-copies.ts';
import { textOf } from './file-errors.ts';

/** Where an account’s changes wait, and with what they are bound to it. */
export interface ProposalFolder {
  readonly folder: string;
  /** Of its journal, where its locks are. */
  readonly changes: string;
  readonly accountId: string;
}

/** By its note, the decision that keeps everybody else from deciding where a change waited before. */
const MOVED: Ending['note'] = 'taken over';

/**
 * Moves what waits, and what became of what waited, to the folder of another account’s name. Each can be decided on in one folder alone at any moment, also by
 * a process that knows only the first: there it is ended before it waits in the second. What can’t be relied on stays. Throws `cancelled` where
 * `stop` aborts while another process works on what waits.
 */
export async function takeOverProposals(from: ProposalFolder, to: ProposalFolder, stop: AbortSignal): Promise<void> {
  if (!(await namesInFolder(from.folder)).some((name) => changeIdIn(name) !== undefined)) return;
  await makeFolder(to.folder);
  await makeFolder(from.changes);
  await makeFolder(to.changes);
  await withRecordLock(from.changes, PROPOSALS_LOCK, stop, () =>
    withRecordLock(to.changes, PROPOSALS_LOCK, stop, async () => {
      for (const changeId of idsWith('.json', await namesInFolder(from.folder))) await takeOver(changeId, from, to);
      await removeLeft(from.folder, to.folder);
    }),
  );
}

async function takeOver(changeId: string, from: ProposalFolder, to: ProposalFolder): Promise<void> {
  const fileOf = ({ folder }: ProposalFolder, suffix: string) => join(folder, `${changeId}.${suffix}`);
  const temporary = ({ folder }: ProposalFolder) => join(folder, `${changeId}.${randomUUID()}.new`);
  const read = (suffix: string) => textOf(fileOf(from, suffix), changeId);
  let copies: readonly FileCopy[] = [];
  const removeFrom = async () => {
    await removeIfPossible(fileOf(from, 'json'));
    // On Windows another program may have it open: without its decision it would wait there again.
    if (await exists(fileOf(from, 'json'))) return;
    await removeCopies(from.folder, changeId, copies);
    for (const suffix of ['lists', 'told', 'decision']) await removeIfPossible(fileOf(from, suffix));
  };
  if ((await textOf(fileOf(to, 'json'), changeId)) !== undefined) return removeFrom();
  const { digest, ...body } = fieldsIn(parseJsonOrUndefined((await read('json')) ?? ''));
  const lists = (await read('lists')) ?? '';
  const { args } = fieldsIn(parseJsonOrUndefined(lists));
  // One of a newer version waits where it is until that moves it.
  if (typeof body.format === 'number' && body.format > FORMAT) return;
  if (digest !== digestOf(from.accountId, body) || sha256(lists) !== body.lists) return;
  copies = z.array(FileCopySchema).catch([]).parse(body.files);
  const moved = JSON.stringify({ status: 'withdrawn', at: new Date().toISOString(), note: MOVED } satisfies Ending);
  await linkExclusive(temporary(from), moved, fileOf(from, 'decision'));
  const decision = (await read('decision')) ?? '';
  const isOurs = EndingSchema.safeParse(parseJsonOrUndefined(decision)).data?.note === MOVED;
  const there = { ...body, requestDigest: digestOf(to.accountId, body.tool, args) };
  await moveCopies(from.folder, to.folder, changeId, copies);
  await writeDurably(fileOf(to, 'lists'), lists);
  if (!isOurs) await writeDurably(fileOf(to, 'decision'), decision);
  if ((await read('told')) !== undefined) await writeDurably(fileOf(to, 'told'), '');
  await linkExclusive(temporary(to), JSON.stringify({ ...there, digest: digestOf(to.accountId, there) }), fileOf(to, 'json'));
  await fsyncFolder(to.folder);
  await removeFrom();
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Removes what an earlier call left that was killed: files beside one that is whole in the other folder alone. */
async function removeLeft(from: string, to: string): Promise<void> {
  const names = await namesInFolder(from);
  const [waits, there] = [names, await namesInFolder(to)].map((all) => new Set(idsWith('.json', all)));
  for (const name of names) {
    const changeId = changeIdIn(name);
    if (changeId !== undefined && !waits?.has(changeId) && there?.has(changeId)) await removeIfPossible(join(from, name));
  }
}

const changeIdIn = (name: string): string | undefined => /^chg-[0-9a-z]{9}-[0-9a-z]{4}(?=\.)/.exec(name)?.[0];
