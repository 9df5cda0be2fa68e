import type { Catalogue } from '../../account/catalogue.ts';
import { type IdFile, readIdFile } from '../../account/id-file.ts';
import { openInside } from '../../account/named-files.ts';
import { matchesOf, type Referable } from '../../account/references.ts';
import { type FieldProblem, VideoHostingError } from '../../errors.ts';
import { asItLooks, cleanText } from '../../text/sanitize-text.ts';
import { listed, repeatedIn } from '../listed.ts';
import type { NoticeOf } from '../notices/notices.ts';

const MAX_SHOWN = 8;

/** A list of keys from a file, or what is wrong with it. */
type FileList = { readonly keys: readonly string[] } | FieldProblem;

/** The lists of keys in files that a caller names, for one plan: each file is read once. */
export interface ListFiles {
  /** All of it. Throws `file_refused` with the field. */
  read(file: string, field: string): Promise<IdFile>;
  /** The list of one channel: its rows where the file has a column of channels, else all of it. */
  listOf(file: string, field: string, channel: Referable, channels: readonly Referable[]): Promise<FileList>;
  /** What each file that was read held. */
  notices(): Promise<NoticeOf<'list_file'>[]>;
}

/** `signal` ends the reading of files. */
export function createListFiles(filesDirs: readonly string[], catalogue: Catalogue | undefined, signal: AbortSignal): ListFiles {
  const files = new Map<string, Promise<IdFile>>();
  /** The groups that were asked for, of the files whose lists were asked for by channel. */
  const used = new Map<string, Set<string>>();
  /** The channel of each file that is the list of one. */
  const whole = new Map<string, Referable>();

  function read(file: string, field: string): Promise<IdFile> {
    const reading = files.get(file) ?? readOnce(file);
    files.set(file, reading);
    return reading.catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || error.code !== 'file_refused') throw error;
      const { code, message, hint, facts } = error;
      throw new VideoHostingError(code, message, { hint, facts: { ...facts, fields: [{ field, problem: message }] } });
    });
  }

  async function readOnce(file: string): Promise<IdFile> {
    const handle = await openInside(filesDirs, file);
    try {
      return await readIdFile(handle, file, catalogue, signal, { wanted: 'key', hasChannels: true });
    } finally {
      await handle.close();
    }
  }

  return {
    read,
    notices: () => Promise.all([...files].map(async ([file, reading]) => noticeOn(file, await reading, used.get(file)))),
    async listOf(file, field, channel, channels) {
      const { values, groups } = await read(file, field);
      if (groups === undefined) {
        const first = whole.get(file) ?? channel;
        whole.set(file, first);
        if (first.id === channel.id && first.name === channel.name) return { keys: values };
        return {
          field,
          problem: 'has no column "channel", and is given for several channels: it would be the list of each. Give it a column "channel".',
        };
      }
      const folded = new Set([channel.id, channel.key, channel.name].map(fold));
      const own = [...groups.keys()].filter((reference) => {
        const [match, ...others] = matchesOf(reference, channels);
        return match?.id === channel.id && others.length === 0;
      });
      // Another spelling of its name, where no channel has that one, is not left out.
      const alike = [...groups.keys()].filter((reference) => matchesOf(reference, channels).length === 0 && folded.has(fold(reference)));
      const [only, ...more] = own.length === 0 ? own : [...own, ...alike];
      used.set(file, (used.get(file) ?? new Set()).add(only ?? ''));
      if (only === undefined)
        return { field, problem: `has no videos of this channel. It has some of ${listed([...groups.keys()], MAX_SHOWN)}.` };
      if (more.length > 0)
        return { field, problem: `names this channel in ${more.length + 1} ways: ${listed([only, ...more], MAX_SHOWN)}. Name it in one.` };
      return { keys: groups.get(only) ?? [] };
    },
  };
}

const fold = (name = ''): string => asItLooks(name).toLowerCase();

function noticeOn(file: string, { values, groups, blanks, read }: IdFile, used: ReadonlySet<string> | undefined): NoticeOf<'list_file'> {
  const repeated = [...(groups?.values() ?? [values])].reduce((sum, keys) => sum + repeatedIn(keys).length, 0);
  const idle = used === undefined ? [] : [...(groups ?? [])].filter(([name]) => !used.has(name));
  return {
    kind: 'list_file',
    file: JSON.stringify(cleanText(file, 200)),
    how: read,
    read: values.length + blanks,
    repeated,
    blanks,
    ...(groups === undefined ? {} : { channels: groups.size }),
    ...(idle.length === 0
      ? {}
      : { unused: { entries: idle.reduce((sum, [, keys]) => sum + keys.length, 0), channels: listed(idle.map(([name]) => name)) } }),
  };
}
