import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';
import type { ErrorCode } from '../errors/codes.ts';
import { BY_NEWER, VideoHostingError } from '../errors.ts';
import { codeOf } from '../platform/files.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { MAX_PATH, type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { zodProblem } from '../text/zod-problem.ts';
import { isRole } from './roles.ts';

export const MAX_PEOPLE = 1_000;
/** As much as so many people take, twice. It may be read at each request. */
const MAX_BYTES = 1_000_000;
export const NAME_FORM = sentence`1 to 40 letters of the English alphabet, digits, ".", "_" and "-"`;
const NAME = /^[A-Za-z0-9._-]{1,40}$/;
export const isName = (text: string): boolean => NAME.test(text);
/** Names that differ in capitals alone would be taken for one person. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const MAX_ROLE = 40;
const MAX_ROLES = 20;

const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in hexadecimal digits');
const Time = z.iso.datetime();

const EntrySchema = z
  .strictObject({
    /** Of this person alone: whoever is added later under the same name has another. */
    id: z.string().regex(/^person-[0-9a-f-]{36}$/, 'is no id of a person'),
    name: z.string().regex(NAME, 'is no name of a person'),
    /** Those that don’t count keep this person out, and nobody else: `rolesProblem`. */
    roles: z.array(z.string().max(MAX_ROLE)).max(MAX_ROLES),
    clientToken: Hash,
    pageKey: Hash,
    addedAt: Time,
    rotatedAt: Time.optional(),
  })
  .readonly();
export type PersonEntry = z.output<typeof EntrySchema>;

/** Of the form of the file. */
const VERSION = 1;

const PeopleFileSchema = z
  .strictObject({ version: z.literal(VERSION), people: z.array(EntrySchema).max(MAX_PEOPLE) })
  .superRefine(({ people }, context) => {
    const secrets = new Set<string>();
    for (const [index, { id, name, clientToken, pageKey }] of people.entries()) {
      const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['people', index], message });
      if (people.slice(0, index).some((other) => other.id === id || isSameName(other.name, name)))
        refuse('has the name or id of another person in it');
      // One that signs in and calls, too, would let an assistant decide on what it asks for.
      const own = new Set([clientToken, pageKey]);
      if (own.size < 2 || [...own].some((secret) => secrets.has(secret))) refuse('has a secret that is in it twice');
      for (const secret of own) secrets.add(secret);
    }
  });

/** Why the roles of an entry count for nothing, which the end of a sentence says; undefined where they count. */
export function rolesProblem({ roles }: Pick<PersonEntry, 'roles'>): Sentence | undefined {
  const unknown = roles.filter((role) => !isRole(role));
  if (unknown.length > 0) return sentence`has roles that there are not (${wordList(unknown)})`;
  return roles.includes('read') ? undefined : sentence`lacks the role read, without which the others are of no use`;
}

export const peopleError = (words: Sentence, code: ErrorCode = 'people_unusable'): VideoHostingError =>
  new VideoHostingError(code, words, { facts: { outcome: 'nothing-sent' } });

/** The people in the file; none where there is no file. Throws `people_unusable` where it can’t be trusted or read. */
export function readPeopleFile(path: string): readonly PersonEntry[] {
  const text = textOf(path);
  if (text === undefined) return [];
  const value = parseJsonOrUndefined(text);
  const parsed = PeopleFileSchema.safeParse(value);
  if (parsed.success) return parsed.data.people;
  if (Number(fieldsIn(value).version) > VERSION) throw unusable(path, sentence`was ${BY_NEWER}`);
  const [issue] = parsed.error.issues;
  const place = issue === undefined ? '' : issue.path.join('.');
  const what =
    issue === undefined || place === '' ? sentence`it is not one that this program wrote` : sentence`${word(place)} ${zodProblem(issue)}`;
  throw peopleError(sentence`The file of people ${word(path, MAX_PATH)} is damaged: ${what}. Nobody gets in until it is put right.`);
}

export const textOfPeople = (people: readonly PersonEntry[]): string => `${JSON.stringify({ version: VERSION, people }, undefined, 2)}\n`;

const unusable = (path: string, why: Sentence): VideoHostingError =>
  peopleError(sentence`The file of people ${word(path, MAX_PATH)} ${why}. Nobody gets in until that is put right.`);

/** At once and without waiting, since each request looks people up. */
function textOf(path: string): string | undefined {
  // Don't wait for the other end of a pipe. Windows lacks both flags.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    throw unusable(path, code === 'ELOOP' ? sentence`is a link` : sentence`can’t be read (${word(code ?? 'no code')})`);
  }
  try {
    const problem = problemOf(file);
    if (problem !== undefined) throw unusable(path, problem);
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > MAX_BYTES) throw unusable(path, TOO_LARGE);
    return bytes.subarray(0, length).toString('utf8');
  } finally {
    closeSync(file);
  }
}

const TOO_LARGE = sentence`has more than 1 MB, which is as much as it may have`;

/** What keeps an open file from being trusted. */
function problemOf(file: number): Sentence | undefined {
  const info = fstatSync(file);
  if (!info.isFile()) return sentence`is no regular file`;
  if (info.size > MAX_BYTES) return TOO_LARGE;
  // A mount of one file goes on showing the old one, also after somebody was removed.
  if (info.nlink === 0) return sentence`was replaced where it is mounted from: mount its folder, not the file alone`;
  if (info.nlink > 1)
    return sentence`has another name beside this one (a hard link), by which it could be changed: copy it, and remove the link`;
  // Windows keeps rights otherwise.
  if (process.platform === 'win32') return undefined;
  if (info.uid !== process.getuid?.()) return sentence`belongs to another user, who could let anybody in`;
  if ((info.mode & 0o077) !== 0) return sentence`can be read or written by others than its owner: take that away (chmod 600)`;
  return undefined;
}
