import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type * as z from 'zod';
import { isInside } from '../../files/named-files.ts';
import { codeOf } from '../../platform/files.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { zodProblem } from '../../text/zod-problem.ts';
import { schemaProblem } from './file-problems.ts';
import { type FileProblem, problemsIn, type StandingFile, StandingFileSchema } from './rules.ts';

const MAX_PROBLEMS = 10;
/** Some five thousand rules. It is read and checked before each change, and each minute while one runs. */
const MAX_BYTES = 1_000_000;

/** The file as it is now; where anything is wrong with it, all that is, and nothing is covered. `savedAt`: milliseconds since the epoch. */
export type StandingFileRead =
  | { readonly ok: true; readonly file: StandingFile; readonly sha256: string; readonly savedAt: number }
  | { readonly ok: false; readonly problems: readonly Sentence[] };

/** Opens a file that its owner alone may write: no link, outside the folders that this server writes to. */
export async function openOwned(path: string, outside: readonly string[]): Promise<FileHandle | { readonly problem: Sentence }> {
  if (!isAbsolute(path)) return { problem: sentence`${word(path)} is no absolute path.` };
  // Don't wait for the other end of a pipe. Windows lacks both flags.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: unknown) => codeOf(error) ?? 'no code');
  if (handle === 'ELOOP') return { problem: sentence`${word(path)} is a link.` };
  if (typeof handle === 'string') return { problem: sentence`${word(path)} can’t be read (${word(handle)}).` };
  const problem = await problemWith(handle, path, outside);
  if (problem === undefined) return handle;
  await handle.close();
  return { problem };
}

/** What keeps an open file from being trusted. */
export async function problemWith(handle: FileHandle, path: string, outside: readonly string[]): Promise<Sentence | undefined> {
  const info = await handle.stat();
  if (!info.isFile()) return sentence`${word(path)} is no regular file.`;
  // A mount of one file goes on showing the old one, also where the new one takes rights away.
  if (info.nlink === 0) return sentence`${word(path)} was replaced where it is mounted from: mount its folder, not the file alone.`;
  // Windows keeps rights otherwise.
  if (process.platform !== 'win32' && (info.mode & 0o022) !== 0)
    return sentence`${word(path)} can be written by others than its owner: take that right away (chmod go-w).`;
  if (process.platform !== 'win32' && info.uid !== process.getuid?.() && info.uid !== 0)
    return sentence`${word(path)} belongs to another user, who could change it.`;
  const real = await realpath(path);
  for (const folder of outside) {
    if (isInside(await realpath(folder).catch(() => folder), real))
      return sentence`${word(path)} lies in ${word(folder)}, to which this server writes.`;
  }
  return undefined;
}

/** Reads the file of standing approvals. Never rejects. */
export async function readStandingFile(path: string, outside: readonly string[], now: Date): Promise<StandingFileRead> {
  const handle = await openOwned(path, outside);
  if ('problem' in handle) return { ok: false, problems: [handle.problem] };
  const [savedAt, bytes] = await Promise.all([handle.stat().then(({ mtimeMs }) => mtimeMs), bytesIn(handle)]).finally(() => handle.close());
  if (bytes === undefined)
    return {
      ok: false,
      problems: [
        sentence`${word(path)} has more than 1 MB, which is as much as a file of standing approvals may have. Ids of many videos belong in a list that a rule names (onlyIdsIn); approvals that have ended can be taken out.`,
      ],
    };
  const text = bytes.toString('utf8');
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const [broken] = errors;
  if (broken !== undefined) return { ok: false, problems: [sentence`Line ${lineAt(text, broken.offset)}: no JSON.`] };
  if (tree === undefined) return { ok: false, problems: [sentence`${word(path)} is empty.`] };
  const repeated = repeatedKeys(tree);
  const parsed = StandingFileSchema.safeParse(getNodeValue(tree), { error: schemaProblem });
  const wrong = parsed.success
    ? [...problemsIn(parsed.data, now), ...(await listProblems(parsed.data, outside))]
    : parsed.error.issues.flatMap(problemsOf);
  const problems = [
    ...repeated.map((node) => sentence`Line ${lineAt(text, node.offset)}: ${word(String(node.value))} is given twice.`),
    ...wrong.map(({ path: at, problem }) => sentence`Line ${lineAt(text, offsetOf(tree, at))}, ${fieldOf(at)}: ${problem}`),
  ];
  if (problems.length > 0 || !parsed.success) return { ok: false, problems: firstOf(problems) };
  return { ok: true, file: parsed.data, sha256: createHash('sha256').update(bytes).digest('hex'), savedAt };
}

/** The content, unless it is more than may be: also of a file that grows meanwhile. */
async function bytesIn(handle: FileHandle): Promise<Buffer | undefined> {
  if ((await handle.stat()).size > MAX_BYTES) return undefined;
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (length > MAX_BYTES) return undefined;
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}

/** The words of the schema’s problems are this program’s; only a key that is not known is the file’s. */
function problemsOf(issue: z.core.$ZodIssue): readonly FileProblem[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, problem: sentence`${zodProblem(issue)}.` }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], problem: sentence`there is no such key.` }));
}

/** What keeps the lists that rules name from being used; their ids are not read. */
async function listProblems({ approvals }: StandingFile, outside: readonly string[]): Promise<readonly FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const [index, { allow }] of approvals.entries())
    for (const [number, rule] of allow.entries()) {
      if (!('onlyIdsIn' in rule) || rule.onlyIdsIn === undefined) continue;
      const handle = await openOwned(rule.onlyIdsIn, outside);
      if ('problem' in handle) problems.push({ path: ['approvals', index, 'allow', number, 'onlyIdsIn'], problem: handle.problem });
      else await handle.close();
    }
  return problems;
}

function firstOf(problems: readonly Sentence[]): Sentence[] {
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [sentence`And ${counted(more, 'more problem')}.`] : [])];
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** `approvals[0].allow[1].perDay` */
const fieldOf = (path: readonly PropertyKey[]): Sentence =>
  path.reduce<Sentence | undefined>((field, key) => {
    if (typeof key === 'number') return sentence`${field ?? sentence``}[${key}]`;
    return field === undefined ? word(String(key)) : sentence`${field}.${word(String(key))}`;
  }, undefined) ?? sentence`the file`;

/** Where the key at a path stands, or what it is missing in. */
function offsetOf(tree: Node, path: readonly PropertyKey[]): number {
  const segments = path.map((key) => (typeof key === 'number' ? key : String(key)));
  for (let length = segments.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, segments.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

/** JSON takes the last of two; a person may have read the first. */
function repeatedKeys(node: Node): Node[] {
  const keys = node.type === 'object' ? (node.children ?? []).flatMap(({ children }) => children?.[0] ?? []) : [];
  const repeated = keys.filter(({ value }, index) => keys.findIndex((other) => other.value === value) < index);
  return [...repeated, ...(node.children ?? []).flatMap(repeatedKeys)];
}
