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

/**
 * Keys in place of references, and lists in place of files, with the problems collected; undefined where a list of videos is
 * wrong. Without a channel, only the problems count.
 */
export async function resolveChange(
  field: string,
  change: ChannelChange,
  { channel, contents }: { readonly channel: Channel | undefined; readonly contents: Contents },
  data: ReferenceData,
  problems: FieldProblem[],
): Promise<ResolvedChange | undefined> {
  const listArgument = (name: 'setVideoKeys' | 'currentVideoKeys'): ListArgument => ({
    list: change[name],
    file: change[`${name}File`],
    field: `${field}.${name}`,
    fileField: `${field}.${name}File`,
  });
  /** The argument that gives a list. */
  const fieldOf = (name: 'setVideoKeys' | 'currentVideoKeys'): string => {
    const { list, file, field: own, fileField } = listArgument(name);
    return list === undefined && file !== undefined ? fileField : own;
  };
  const before = problems.length;
  const given = await videosIn(listArgument('currentVideoKeys'), channel, data, problems);
  const current = given && translatedKeys(fieldOf('currentVideoKeys'), given, contents.videoKeys, data, problems);
  problems.push(...repeatedKeys(fieldOf('currentVideoKeys'), current ?? []));
  const set = await videosIn(listArgument('setVideoKeys'), channel, data, problems);
  const edits = KEY_EDITS.map((edit) => {
    const keys = edit === 'setVideoKeys' ? set : change[edit];
    return [
      edit,
      keys &&
        translatedKeys(edit === 'setVideoKeys' ? fieldOf(edit) : `${field}.${edit}`, keys, current ?? contents.videoKeys, data, problems),
    ] as const;
  });
  const isWrong = problems.length > before;
  const projectsIn = (name: 'setProjectKeys' | 'currentProjectKeys') =>
    change[name] && projectKeysOf(`${field}.${name}`, change[name], data.projects, problems);
  const template = change.template === undefined ? undefined : findTemplate(`${field}.template`, change.template, data.templates);
  if (template !== undefined && 'problem' in template) problems.push(template);
  const resolved = {
    ...{ channel: change.channel, name: change.name, description: change.description, privateLinkEnabled: change.privateLinkEnabled },
    // With a problem, nothing is sent.
    templateKey: template !== undefined && 'key' in template ? template.key : change.template,
    ...Object.fromEntries(edits),
    setProjectKeys: projectsIn('setProjectKeys'),
    current: { videoKeys: current, projectKeys: projectsIn('currentProjectKeys') },
  };
  return isWrong ? undefined : resolved;
}

/** The videos that are given as an argument or in a file, as they are given. */
export async function videosIn(
  { list, file, field, fileField }: ListArgument,
  channel: Referable | undefined,
  { channels, files }: { readonly channels: readonly Referable[]; readonly files: ListFiles },
  problems: FieldProblem[],
): Promise<readonly string[] | undefined> {
  if (file === undefined) return list;
  if (list !== undefined) {
    problems.push({ field: fileField, problem: `and ${field} both give the list: give one of them.` });
    return undefined;
  }
  if (channel === undefined) return undefined;
  return collectProblems(problems, async () => {
    const found = await files.listOf(file, fileField, channel, channels);
    if ('problem' in found) problems.push(found);
    return 'keys' in found ? found.keys : undefined;
  });
}

/** Keys in place of ids and titles. Of several videos with one title, the one that the channel holds is meant. */
export function translatedKeys(
  field: string,
  given: readonly string[],
  held: readonly string[] = [],
  { catalogue }: Pick<ReferenceData, 'catalogue'>,
  problems: FieldProblem[],
): readonly string[] | undefined {
  try {
    const own = new Set(held);
    const { values } = translateVideos(given, 'key', field, catalogue, own);
    const hidden = hiddenInKeys(field, values, own);
    problems.push(...hidden);
    return hidden.length === 0 ? values : undefined;
  } catch (error) {
    collect(problems, error);
    return undefined;
  }
}

export function repeatedKeys(field: string, keys: readonly string[]): FieldProblem[] {
  const repeated = [...new Set(repeatedIn(keys))];
  return repeated.length === 0 ? [] : [{ field, problem: `names ${listed(repeated)} more than once.` }];
}

/** What the act returns; undefined, with its problems collected, where it throws. */
async function collectProblems<T>(problems: FieldProblem[], act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    collect(problems, error);
    return undefined;
  }
}

function collect(problems: FieldProblem[], error: unknown): void {
  if (!(error instanceof VideoHostingError)) throw error;
  const { code, hint, facts } = error;
  if (facts.fields === undefined) throw error;
  // A file is corrected in its own way.
  const next = code === 'file_refused' ? ` ${hint}` : '';
  problems.push(...facts.fields.map(({ field, problem }) => ({ field, problem: `${problem}${next}` })));
}

export function projectKeysOf(
  field: string,
  references: readonly string[],
  projects: readonly Project[],
  problems: FieldProblem[],
): string[] {
  const keys: string[] = [];
  for (const [index, reference] of references.entries()) {
    const where = `${field}[${index}]`;
    try {
      const { key } = findReference('project', where, reference, projects);
      if (key === undefined) problems.push({ field: where, problem: 'the service does not tell this project’s key.' });
      else if (keys.includes(key)) problems.push({ field: where, problem: 'names the same project twice.' });
      else keys.push(key);
    } catch (error) {
      collect(problems, error);
    }
  }
  return keys;
}
