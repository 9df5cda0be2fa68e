import type { Catalogue } from '../../account/catalogue.ts';
import type { Contents } from '../../account/contents.ts';
import { findReference, type Referable } from '../../account/references.ts';
import { findTemplate } from '../../account/templates.ts';
import { translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, VideoHostingError } from '../../errors.ts';
import type { Channel, Template } from '../../service/resources/channels.ts';
import type { Project } from '../../service/resources/projects.ts';
import { hiddenInKeys } from '../../text/hidden-text.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ChannelChange, ResolvedChange, StatedForAll } from './channel-change.ts';
import { KEY_EDITS } from './edit-keys.ts';
import { valuesIn } from './fields.ts';
import type { ListFiles } from './list-files.ts';

/** What the references of a change are looked up in. */
export interface ReferenceData {
  /** From the list. */
  readonly channels: readonly Channel[];
  readonly templates: readonly Template[];
  readonly projects: readonly Project[];
  readonly catalogue: Catalogue | undefined;
  readonly files: ListFiles;
}

/** The arguments for one list of videos: by themselves, or in a file. */
export interface ListArgument {
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

/**
 * Keys in place of references, and lists in place of files; no value where it can’t be told what the channel holds now, or is to
 * hold. Without a channel, only the problems count.
 */
export async function resolveChange(
  field: Sentence,
  change: ChannelChange,
  { channel, contents, forAll }: { readonly channel: Channel | undefined; readonly contents: Contents; readonly forAll: StatedForAll },
  data: ReferenceData,
): Promise<Resolved<ResolvedChange>> {
  const argument = (name: (typeof KEY_EDITS)[number] | 'currentVideoKeys'): ListArgument => {
    const file = name === 'setVideoKeys' || name === 'currentVideoKeys' ? change[`${name}File`] : undefined;
    return { list: change[name], file, field: sentence`${field}.${name}`, fileField: sentence`${field}.${name}File` };
  };
  const own = argument('currentVideoKeys');
  const stated = own.list === undefined && own.file === undefined ? { ...own, ...fileForAll(forAll) } : own;
  const current = await videosIn(stated, channel, contents.videoKeys, data);
  const held = current.value ?? contents.videoKeys;
  const edits = await Promise.all(KEY_EDITS.map(async (edit) => ({ edit, ...(await videosIn(argument(edit), channel, held, data)) })));
  const template = templateIn(sentence`${field}.template`, change.template, data.templates);
  const projects = projectsIn(sentence`${field}.setProjectKeys`, change.setProjectKeys, data.projects);
  const isOwn = change.currentProjectKeys !== undefined;
  const projectsField = isOwn ? sentence`${field}.currentProjectKeys` : sentence`currentProjectKeys`;
  const currentProjects = projectsIn(projectsField, change.currentProjectKeys ?? forAll.currentProjectKeys, data.projects, !isOwn);
  const problems = [current, ...edits, template, projects, currentProjects].flatMap((one) => one.problems);
  const sets = edits.filter(({ edit }) => edit === 'setVideoKeys');
  if ([current, ...sets, projects, currentProjects].some((one) => one.problems.length > 0)) return { problems };
  // Whether the channel’s contents are known does not depend on the other verbs; where one is wrong, they tell nothing of each other.
  const isWrong = edits.some((one) => one.problems.length > 0);
  const value: ResolvedChange = {
    values: { ...valuesIn(change), templateKey: template.value },
    ...Object.fromEntries((isWrong ? sets : edits).map(({ edit, value }) => [edit, value])),
    setProjectKeys: projects.value,
    current: { videoKeys: current.value, projectKeys: currentProjects.value },
    statedIn: { videoKeys: givenBy(stated), projectKeys: projectsField },
    repeated: {
      videoKeys: [current, ...edits].flatMap(({ repeated = [] }) => repeated),
      projectKeys: [projects, currentProjects].flatMap(({ repeated = [] }) => repeated),
    },
    isIncomplete: template.problems.length > 0 || isWrong,
  };
  return { value, problems };
}

const fileForAll = ({ currentVideoKeysFile: file }: StatedForAll): Partial<ListArgument> =>
  file === undefined ? {} : { file, fileField: sentence`currentVideoKeysFile`, isForAll: true };

/** The keys of the videos that are given as an argument or in a file. Of several videos with one title, the one that the channel holds is meant. */
export async function videosIn(
  { list, file, field, fileField, isForAll = false }: ListArgument,
  channel: Referable | undefined,
  held: readonly string[] | undefined,
  { catalogue, channels, files }: Pick<ReferenceData, 'catalogue' | 'files'> & { readonly channels: readonly Referable[] },
): Promise<ResolvedKeys> {
  if (file === undefined) return list === undefined ? { problems: [] } : withoutRepeats(keysFor(field, list, held, catalogue));
  if (list !== undefined)
    return { problems: [{ field: fileField, problem: sentence`and ${field} both give the list: give one of them.` }] };
  try {
    if (channel === undefined) {
      await files.read(file, fileField);
      return { problems: [] };
    }
    const found = await files.listOf(file, fileField, channel, channels);
    if ('keys' in found) return withoutRepeats(keysFor(fileField, found.keys, held, catalogue), found.keys);
    const { problem, has } = found;
    // What is known needs no statement.
    if (isForAll && has === 'none' && held !== undefined) return { problems: [] };
    return { problems: [{ field: fileField, problem, ...(isForAll && has === 'one-of-all' ? { isForAll: true } : {}) }] };
  } catch (error) {
    return { problems: argumentProblems(error, isForAll) };
  }
}

/** Keys in place of ids and titles. */
export function keysFor(
  field: Sentence,
  given: readonly string[],
  held: readonly string[] = [],
  catalogue: Catalogue | undefined,
): Resolved<readonly string[]> {
  try {
    const own = new Set(held);
    const { values } = translateVideos(given, 'key', field, catalogue, own);
    const problems = hiddenInKeys(field, values, own);
    return problems.length === 0 ? { value: values, problems } : { problems };
  } catch (error) {
    return { problems: argumentProblems(error) };
  }
}

/** The argument by which a list is given. */
const givenBy = ({ list, file, field, fileField }: ListArgument): Sentence =>
  list === undefined && file !== undefined ? fileField : field;

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

export function templateIn(field: Sentence, reference: string | undefined, templates: readonly Template[]): Resolved<string> {
  if (reference === undefined) return { problems: [] };
  const found = findTemplate(field, reference, templates);
  return 'problem' in found ? { problems: [found] } : { value: found.key, problems: [] };
}

/** The problems of an error about arguments; any other is thrown again. `isForAll`: of no single channel. */
export function argumentProblems(error: unknown, isForAll = false): FieldProblem[] {
  if (!(error instanceof VideoHostingError) || error.facts.fields === undefined) throw error;
  // A file is corrected in its own way.
  const next = error.code === 'file_refused' ? sentence` ${error.hint}` : sentence``;
  return error.facts.fields.map(({ field, problem }) => ({
    field,
    problem: sentence`${problem}${next}`,
    ...(isForAll ? { isForAll: true } : {}),
  }));
}

export function projectsIn(
  field: Sentence,
  references: readonly string[] | undefined,
  projects: readonly Project[],
  isForAll = false,
): ResolvedKeys {
  if (references === undefined) return { problems: [] };
  const problems: FieldProblem[] = [];
  const keys: string[] = [];
  for (const [index, reference] of references.entries()) {
    const where = sentence`${field}[${index}]`;
    try {
      const { key } = findReference('project', where, reference, projects);
      if (key === undefined) problems.push({ field: where, problem: sentence`the service does not tell this project’s key.` });
      else keys.push(key);
    } catch (error) {
      problems.push(...argumentProblems(error));
    }
  }
  if (problems.length === 0) return withoutRepeats({ value: keys, problems });
  return { problems: isForAll ? problems.map((one) => ({ ...one, isForAll: true })) : problems };
}
