import type { Catalogue } from '../../../account/catalogue.ts';
import { type FormerNames, findFormer, matchesOf, type Named, type Referable } from '../../../account/references.ts';
import { VideoHostingError } from '../../../errors.ts';
import { type IdList, idList } from '../../../files/id-list.ts';
import { areFilesTaken, type NamedFiles, openInside } from '../../../files/named-files.ts';
import { readList } from '../../../files/read-list.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { asItLooks } from '../../../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../../text/sentence.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import type { FileList } from '../../plan/channel-fields.ts';
import { listText, repeatedIn } from '../../plan/list-text.ts';

/** The list of a channel that a file gives. */
export const FILE_LIST = 'videoKeys' satisfies FileList;

const MAX_SHOWN = 8;
/** Of the channels that a list is for. */
const MAX_OWNERS = 5;

/** A list of keys from a file, or what is wrong: it has none of the channel, several, or one that would be that of each channel. */
type FoundList = { readonly keys: readonly string[] } | { readonly problem: Sentence; readonly has: 'none' | 'several' | 'one-of-all' };

/** The channels that a file names, and which of them were asked for. */
interface NamedChannels {
  readonly channels: readonly Referable[];
  readonly matches: ReadonlyMap<string, readonly Referable[]>;
  readonly used: Set<string>;
}

export type ListFiles = ReturnType<typeof createListFiles>;

/** The lists of keys in files that a caller names, for one plan: each file is read once. `signal` ends the reading of files. */
export function createListFiles(filesDirs: NamedFiles, catalogue: Catalogue | undefined, formerNames: FormerNames, signal: AbortSignal) {
  const files = new Map<string, Promise<IdList>>();
  const written = new Map<string, Promise<number>>();
  /** Of the files whose lists were asked for by channel. */
  const named = new Map<string, NamedChannels>();
  /** Those that files name as they were called before this server renamed them. */
  const renamed: Named<Referable>[] = [];
  /** The channel of each file that is the list of one. */
  const whole = new Map<string, Referable>();

  function read(file: string, field: Sentence): Promise<IdList> {
    const reading = files.get(file) ?? readOnce(file);
    files.set(file, reading);
    return reading.catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || error.code !== 'file_refused') throw error;
      const { code, message, hint, facts } = error;
      throw new VideoHostingError(code, message, { hint, facts: { ...facts, fields: [{ field, problem: message }] } });
    });
  }

  async function readOnce(file: string): Promise<IdList> {
    const handle = await openInside(filesDirs, file);
    try {
      written.set(
        file,
        handle.stat().then(({ mtimeMs }) => mtimeMs),
      );
      return await readList({ name: file, from: { handle }, signal }, idList(catalogue, { wanted: 'key', hasChannels: true }));
    } finally {
      await handle.close();
    }
  }

  async function namedIn(
    file: string,
    groups: NonNullable<IdList['groups']>,
    channels: readonly Referable[],
    field: Sentence,
  ): Promise<NamedChannels> {
    const known = named.get(file);
    if (known?.channels === channels) return known;
    const matches = new Map([...groups.keys()].map((name) => [name, matchesOf(name, channels)]));
    const unnamed = [...matches].flatMap(([name, found]) => (found.length === 0 ? [name] : []));
    const names = unnamed.length === 0 ? [] : await formerNames();
    for (const name of unnamed) {
      const former = findFormer('channel', field, name, channels, names);
      if (former === undefined) continue;
      matches.set(name, [former.record]);
      renamed.push(former);
    }
    const found = { channels, matches, used: known?.used ?? new Set<string>() };
    named.set(file, found);
    return found;
  }

  return {
    areTaken: areFilesTaken(filesDirs),
    /** When a file that was read was last written, in milliseconds since the epoch. */
    writtenAt: async (file: string): Promise<number | undefined> => written.get(file),
    /** The channels that files name by names that these have no more. */
    renamed: (): readonly Named<Referable>[] => renamed,
    /** All of it. Throws `file_refused` with the field. */
    read,
    /** What each file that was read held. */
    notices: () => Promise.all([...files].map(async ([file, reading]) => noticeOn(file, await reading, named.get(file)))),
    /** The list of one channel: its rows where the file has a column of channels, else all of it. */
    async listOf(file: string, field: Sentence, channel: Referable, channels: readonly Referable[]): Promise<FoundList> {
      const { values, groups } = await read(file, field);
      if (groups === undefined) {
        const first = whole.get(file) ?? channel;
        whole.set(file, first);
        if (first.id === channel.id && first.name === channel.name) return { keys: values };
        return {
          has: 'one-of-all',
          problem: sentence`has no column "channel", and is given for several channels: it would be the list of each. Give it a column "channel".`,
        };
      }
      const folded = new Set([channel.id, channel.key, channel.name].map(fold));
      const found = await namedIn(file, groups, channels, field);
      const names = [...found.matches];
      const own = names.flatMap(([name, [match, ...others]]) => (match?.id === channel.id && others.length === 0 ? [name] : []));
      // Another spelling of its name, where no channel has that one, is not left out.
      const alike = names.flatMap(([name, matches]) => (matches.length === 0 && folded.has(fold(name)) ? [name] : []));
      const [only, ...more] = own.length === 0 ? own : [...own, ...alike];
      if (only === undefined)
        return { has: 'none', problem: sentence`has no videos of this channel. It has those of ${ownersText([...groups.keys()], found)}.` };
      found.used.add(only);
      if (more.length > 0)
        return {
          has: 'several',
          problem: sentence`names this channel in ${more.length + 1} ways: ${listText([only, ...more], MAX_SHOWN)}. Name it in one.`,
        };
      return { keys: groups.get(only) ?? [] };
    },
  };
}

const fold = (name = ''): string => asItLooks(name).toLowerCase();

/** `136 of the 137 channels ("A", "B" and 134 more)`, and the names that are not those of one channel. */
function ownersText(names: readonly string[], { channels, matches }: NamedChannels): Sentence {
  const [owned, others]: [Map<string, string>, string[]] = [new Map(), []];
  for (const name of names) {
    const [match, ...more] = matches.get(name) ?? [];
    if (match === undefined || more.length > 0) others.push(name);
    else owned.set(match.id, match.name ?? match.id);
  }
  const count =
    owned.size === 0 ? [] : [sentence`${owned.size} of the ${channels.length} channels (${listText([...owned.values()], MAX_OWNERS)})`];
  return joined([...count, ...(others.length === 0 ? [] : [listText(others, MAX_SHOWN)])], ' and ');
}

function noticeOn(file: string, { values, groups, blanks, read }: IdList, named: NamedChannels | undefined): NoticeOf<'list_file'> {
  const repeated = [...(groups?.values() ?? [values])].reduce((sum, keys) => sum + repeatedIn(keys).length, 0);
  const idle = named === undefined ? [] : [...(groups ?? [])].filter(([name]) => !named.used.has(name));
  const names = idle.map(([name]) => name);
  const entries = idle.reduce((sum, [, keys]) => sum + keys.length, 0);
  const unused = named === undefined || idle.length === 0 ? undefined : { entries, channels: ownersText(names, named) };
  return {
    ...{ kind: 'list_file', file: inQuotes(file, 200), how: read, read: values.length + blanks, repeated, blanks },
    ...definedFields({ channels: groups?.size, unused }),
  };
}
