import type { Catalogue } from '../../../account/catalogue.ts';
import type { ByList, ListName } from '../../../account/contents.ts';
import { findReference, type Referable } from '../../../account/references.ts';
import { findTemplate } from '../../../account/templates.ts';
import { translateVideos } from '../../../account/video-references.ts';
import { type FieldProblem, VideoHostingError } from '../../../errors.ts';
import type { Channel, Template } from '../../../service/resources/channels.ts';
import type { Project } from '../../../service/resources/projects.ts';
import { hiddenInKeys } from '../../../text/hidden-text.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { CHANNEL_FIELDS, type ChannelValues } from '../../plan/channel-fields.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import type { ListArgumentName, ListArguments } from './channel-change.ts';
import type { ListFiles } from './list-files.ts';

/** What the references of a change are looked up in. */
export interface ReferenceData {
  /** From the list. */
  readonly channels: readonly Channel[];
  /** These two are read once, when they are first needed. */
  readonly templates: () => Promise<readonly Template[]>;
  readonly projects: () => Promise<readonly Project[]>;
  readonly catalogue: Catalogue | undefined;
  readonly files: ListFiles;
}

/** The arguments for one list: by itself, or in a file. */
interface ListArgument {
  readonly list: readonly string[] | undefined;
  readonly file: string | undefined;
  /** The names of the arguments, with the path of the channel. */
  readonly field: Sentence;
  readonly fileField: Sentence;
  /** It stands beside the changes, for all that have none of their own. */
  readonly isForAll?: boolean;
}

/** What references stand for, or what is wrong with them. Absent where something is wrong, or nothing was given. */
export interface Resolved<T> {
  readonly value?: T | undefined;
  readonly problems: readonly FieldProblem[];
}

/** A list without its repeats, which are told apart; those of a file are told with it. */
export interface ResolvedKeys extends Resolved<readonly string[]> {
  readonly repeated?: readonly string[];
}

/** The records that references of a plan may name, each list read once, when it is first needed. */
export function readWhenNeeded(
  { client, account }: Pick<FileDeps, 'client' | 'account'>,
  signal: AbortSignal,
): Pick<ReferenceData, 'templates' | 'projects'> {
  return {
    templates: once(async () => (await client.templates.list(signal)).items),
    projects: once(() => account.allProjects({ signal })),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= read();
    return found;
  };
}

/** What arguments set besides lists, with keys for references. `path` is that of the channel: `changes[3].`. */
export async function resolveValues(
  path: Sentence,
  asked: ChannelValues,
  { templates }: Pick<ReferenceData, 'templates'>,
): Promise<{ readonly values: ChannelValues; readonly problems: readonly FieldProblem[] }> {
  const { templateKey: reference } = asked;
  if (reference === undefined) return { values: asked, problems: [] };
  const found = findTemplate(sentence`${path}${CHANNEL_FIELDS.templateKey.argument}`, reference, reference === '' ? [] : await templates());
  if ('problem' in found) return { values: { ...asked, templateKey: undefined }, problems: [found] };
  return { values: { ...asked, templateKey: found.key }, problems: [] };
}

/** The channel that a list is for, what it holds of that list, and which of its videos a title may stand for that others have as well. */
export interface ListOwner {
  readonly channel: Referable | undefined;
  readonly held: readonly string[] | undefined;
  readonly twins?: Twins;
}

/** `held`: of several videos with one title the one that the channel holds is meant; `others`: the one that it doesn’t hold. */
export type Twins = 'held' | 'others' | 'none';

/** The arguments of a list, as a caller gave them. */
export function listArgument(asked: ListArguments<ListArgumentName>, name: ListArgumentName, path = sentence``): ListArgument {
  const field = sentence`${path}${name}`;
  // Other lists have none.
  const files: { readonly [One in `${ListArgumentName}File`]?: string | undefined } = asked;
  return { list: asked[name], file: files[`${name}File`], field, fileField: sentence`${field}File` };
}

/** The keys of the records that are given as an argument or in a file. */
export async function keysIn(
  list: ListName,
  { list: given, file, field, fileField, isForAll = false }: ListArgument,
  { channel, held, twins = 'none' }: ListOwner,
  data: Omit<ReferenceData, 'templates' | 'channels'> & { readonly channels: readonly Referable[] },
): Promise<ResolvedKeys> {
  if (file === undefined) {
    if (given === undefined) return { problems: [] };
    const { problems, ...found } = withoutRepeats(await LOOKUPS[list](field, given, { held, twins }, data));
    return { ...found, problems: isForAll ? problems.map((one) => ({ ...one, isForAll })) : problems };
  }
  if (given !== undefined)
    return { problems: [{ field: fileField, problem: sentence`and ${field} both give the list: give one of them.` }] };
  try {
    if (channel === undefined) {
      await data.files.read(file, fileField);
      return { problems: [] };
    }
    const found = await data.files.listOf(file, fileField, channel, data.channels);
    if ('keys' in found) return withoutRepeats(await LOOKUPS[list](fileField, found.keys, { held, twins }, data), found.keys);
    const { problem, has } = found;
    // What is known needs no statement.
    if (isForAll && has === 'none' && held !== undefined) return { problems: [] };
    return { problems: [{ field: fileField, problem, ...(isForAll && has === 'one-of-all' ? { isForAll: true } : {}) }] };
  } catch (error) {
    return { problems: argumentProblems(error, isForAll) };
  }
}

export type LookupData = Pick<ReferenceData, 'catalogue' | 'projects'>;
type Lookup = (
  field: Sentence,
  given: readonly string[],
  owner: Pick<ListOwner, 'held' | 'twins'>,
  data: LookupData,
) => Resolved<readonly string[]> | Promise<Resolved<readonly string[]>>;

/** Keys in place of what people call the entries of each list. */
export const LOOKUPS: ByList<Lookup> = { videoKeys: videoKeysIn, projectKeys: projectKeysIn };

/** Of ids and titles. */
function videoKeysIn(
  field: Sentence,
  given: readonly string[],
  { held, twins = 'none' }: Pick<ListOwner, 'held' | 'twins'>,
  { catalogue }: Pick<ReferenceData, 'catalogue'>,
): Resolved<readonly string[]> {
  try {
    const own = new Set(held);
    const areMeant = { held: (key: string) => own.has(key), others: (key: string) => held !== undefined && !own.has(key), none: undefined };
    const { values } = translateVideos(given, 'key', field, catalogue, areMeant[twins]);
    const problems = hiddenInKeys(field, values, own);
    return problems.length === 0 ? { value: values, problems } : { problems };
  } catch (error) {
    return { problems: argumentProblems(error) };
  }
}

/** Of ids and exact names. */
async function projectKeysIn(
  field: Sentence,
  given: readonly string[],
  _owner: unknown,
  { projects }: Pick<ReferenceData, 'projects'>,
): Promise<Resolved<readonly string[]>> {
  const all = given.length === 0 ? [] : await projects();
  const found = given.map((reference, index) => projectKey(sentence`${field}[${index}]`, reference, all));
  const problems = found.flatMap((one) => one.problems);
  return problems.length > 0 ? { problems } : { value: found.flatMap(({ value }) => value ?? []), problems };
}

function projectKey(field: Sentence, reference: string, projects: readonly Project[]): Resolved<string> {
  try {
    const { key } = findReference('project', field, reference, projects);
    return key === undefined
      ? { problems: [{ field, problem: sentence`the service does not tell this project’s key.` }] }
      : { value: key, problems: [] };
  } catch (error) {
    return { problems: argumentProblems(error) };
  }
}

/** A key that is given twice counts once, at its first place. `inFile` are the entries of the file that the keys are from. */
export function withoutRepeats({ value, problems }: Resolved<readonly string[]>, inFile: readonly string[] = []): ResolvedKeys {
  if (value === undefined) return { problems };
  const isTold = isRepeated(inFile);
  const isAgain = isRepeated(value);
  const repeated = value.filter((_, index) => isAgain[index] && !isTold[index]);
  return { value: [...new Set(value)], problems, repeated };
}

/** Of each entry, whether it was there before. */
function isRepeated(entries: readonly string[]): boolean[] {
  const seen = new Set<string>();
  return entries.map((entry) => seen.has(entry) || !seen.add(entry));
}

/** The problems of an error about arguments; any other is thrown again. `isForAll`: of no single channel. */
export function argumentProblems(error: unknown, isForAll = false): FieldProblem[] {
  // A catalogue that can’t be used is no problem of an argument.
  if (!(error instanceof VideoHostingError) || error.facts.fields === undefined || error.code === 'catalogue_unusable') throw error;
  // A file is corrected in its own way.
  const next = error.code === 'file_refused' ? sentence` ${error.hint}` : sentence``;
  return error.facts.fields.map(({ field, problem }) => ({
    field,
    problem: sentence`${problem}${next}`,
    ...(isForAll ? { isForAll: true } : {}),
  }));
}
