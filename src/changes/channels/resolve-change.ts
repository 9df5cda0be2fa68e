import type { Catalogue } from '../../account/catalogue.ts';
import type { Contents } from '../../account/contents.ts';
import { findReference, type Referable } from '../../account/references.ts';
import { findTemplate } from '../../account/templates.ts';
import { translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, VideoHostingError } from '../../errors.ts';
import type { Channel, Template } from '../../service/resources/channels.ts';
import type { Project } from '../../service/resources/projects.ts';
import { hiddenInKeys } from '../../text/hidden-text.ts';
import { listed, repeatedIn } from '../listed.ts';
import type { ChannelChange, ResolvedChange } from './channel-change.ts';
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
  readonly field: string;
  readonly fileField: string;
}

/** What references stand for, or what is wrong with them. Absent where something is wrong, or nothing was given. */
export interface Resolved<T> {
  readonly value?: T | undefined;
  readonly problems: readonly FieldProblem[];
}

/**
 * Keys in place of references, and lists in place of files; no value where a list is wrong. Without a channel, only the problems
 * count.
 */
export async function resolveChange(
  field: string,
  change: ChannelChange,
  { channel, contents }: { readonly channel: Channel | undefined; readonly contents: Contents },
  data: ReferenceData,
): Promise<Resolved<ResolvedChange>> {
  const argument = (name: (typeof KEY_EDITS)[number] | 'currentVideoKeys'): ListArgument => {
    const file = name === 'setVideoKeys' || name === 'currentVideoKeys' ? change[`${name}File`] : undefined;
    return { list: change[name], file, field: `${field}.${name}`, fileField: `${field}.${name}File` };
  };
  const stated = argument('currentVideoKeys');
  const current = withoutRepeats(givenBy(stated), await videosIn(stated, channel, contents.videoKeys, data));
  const held = current.value ?? contents.videoKeys;
  const edits = await Promise.all(KEY_EDITS.map(async (edit) => ({ edit, ...(await videosIn(argument(edit), channel, held, data)) })));
  const template = templateIn(`${field}.template`, change.template, data.templates);
  const projects = projectsIn(`${field}.setProjectKeys`, change.setProjectKeys, data.projects);
  const currentProjects = projectsIn(`${field}.currentProjectKeys`, change.currentProjectKeys, data.projects);
  const problems = [current, ...edits, template, projects, currentProjects].flatMap((one) => one.problems);
  if (problems.length > template.problems.length) return { problems };
  const value: ResolvedChange = {
    values: { ...valuesIn(change), templateKey: template.value },
    ...Object.fromEntries(edits.map(({ edit, value }) => [edit, value])),
    setProjectKeys: projects.value,
    current: { videoKeys: current.value, projectKeys: currentProjects.value },
    isIncomplete: template.problems.length > 0,
  };
  return { value, problems };
}

/** The keys of the videos that are given as an argument or in a file. Of several videos with one title, the one that the channel holds is meant. */
export async function videosIn(
  { list, file, field, fileField }: ListArgument,
  channel: Referable | undefined,
  held: readonly string[] | undefined,
  { catalogue, channels, files }: Pick<ReferenceData, 'catalogue' | 'files'> & { readonly channels: readonly Referable[] },
): Promise<Resolved<readonly string[]>> {
  if (file === undefined) return list === undefined ? { problems: [] } : keysFor(field, list, held, catalogue);
  if (list !== undefined) return { problems: [{ field: fileField, problem: `and ${field} both give the list: give one of them.` }] };
  if (channel === undefined) return { problems: [] };
  try {
    const found = await files.listOf(file, fileField, channel, channels);
    return 'problem' in found ? { problems: [found] } : keysFor(fileField, found.keys, held, catalogue);
  } catch (error) {
    return { problems: problemsIn(error) };
  }
}

/** Keys in place of ids and titles. */
export function keysFor(
  field: string,
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
    return { problems: problemsIn(error) };
  }
}

/** The argument by which a list is given. */
export const givenBy = ({ list, file, field, fileField }: ListArgument): string =>
  list === undefined && file !== undefined ? fileField : field;

/** Of a whole list of what a channel holds: a repeated key is a mistake. */
export function withoutRepeats(field: string, { value, problems }: Resolved<readonly string[]>): Resolved<readonly string[]> {
  const repeated = [...new Set(repeatedIn(value ?? []))];
  if (repeated.length === 0) return { value, problems };
  return { problems: [...problems, { field, problem: `names ${listed(repeated)} more than once.` }] };
}

export function templateIn(field: string, reference: string | undefined, templates: readonly Template[]): Resolved<string> {
  if (reference === undefined) return { problems: [] };
  const found = findTemplate(field, reference, templates);
  return 'problem' in found ? { problems: [found] } : { value: found.key, problems: [] };
}

/** The problems of an error about arguments; any other is thrown again. */
function problemsIn(error: unknown): FieldProblem[] {
  if (!(error instanceof VideoHostingError) || error.facts.fields === undefined) throw error;
  // A file is corrected in its own way.
  const next = error.code === 'file_refused' ? ` ${error.hint}` : '';
  return error.facts.fields.map(({ field, problem }) => ({ field, problem: `${problem}${next}` }));
}

export function projectsIn(
  field: string,
  references: readonly string[] | undefined,
  projects: readonly Project[],
): Resolved<readonly string[]> {
  if (references === undefined) return { problems: [] };
  const problems: FieldProblem[] = [];
  const keys: string[] = [];
  for (const [index, reference] of references.entries()) {
    const where = `${field}[${index}]`;
    try {
      const { key } = findReference('project', where, reference, projects);
      if (key === undefined) problems.push({ field: where, problem: 'the service does not tell this project’s key.' });
      else if (keys.includes(key)) problems.push({ field: where, problem: 'names the same project twice.' });
      else keys.push(key);
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  return problems.length === 0 ? { value: keys, problems } : { problems };
}
