import type { Catalogue } from '../../account/catalogue.ts';
import { type IdFile, readIdFile } from '../../account/id-file.ts';
import { openInside } from '../../account/named-files.ts';
import { matchesOf, type Referable } from '../../account/references.ts';
import { type FieldProblem, VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { listed, repeatedIn } from '../listed.ts';

/** The column that tells which channel a video is in. */
const CHANNEL_COLUMN = /^channel([\s_-]*(id|key|name))?$/i;
const MAX_SHOWN = 8;

/** A list of keys from a file, or what is wrong with it. */
type FileList = { readonly keys: readonly string[] } | FieldProblem;

/** The lists of keys in files that a caller names, for one plan: each file is read once. */
export interface ListFiles {
  /** All of it. Throws `file_refused` with the field. */
  read(file: string, field: string): Promise<IdFile>;
  /** The list of one channel: its rows where the file has a column of channels, else all of it. */
  listOf(file: string, field: string, channel: Referable, channels: readonly Referable[]): Promise<FileList>;
  /** A sentence for each file that was read, on what it held. */
  notes(): Promise<string[]>;
}

/** `signal` ends the reading of files. */
export function createListFiles(filesDirs: readonly string[], catalogue: Catalogue | undefined, signal: AbortSignal): ListFiles {
  const files = new Map<string, Promise<IdFile>>();

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
      return await readIdFile(handle, file, catalogue, signal, { wanted: 'key', group: CHANNEL_COLUMN });
    } finally {
      await handle.close();
    }
  }

  return {
    read,
    notes: () => Promise.all([...files].map(async ([file, reading]) => noteOn(file, await reading))),
    async listOf(file, field, channel, channels) {
      const { values, groups } = await read(file, field);
      if (groups === undefined) return { keys: values };
      const own = [...groups.keys()].filter((reference) => {
        const [match, ...others] = matchesOf(reference, channels);
        return match?.id === channel.id && others.length === 0;
      });
      const [only, ...more] = own;
      if (only === undefined)
        return { field, problem: `has no videos of this channel. It has some of ${listed([...groups.keys()], MAX_SHOWN)}.` };
      if (more.length > 0)
        return { field, problem: `names this channel in ${own.length} ways: ${listed(own, MAX_SHOWN)}. Name it in one.` };
      return { keys: groups.get(only) ?? [] };
    },
  };
}

function noteOn(file: string, { values, groups, blanks, read }: IdFile): string {
  const repeated = [...(groups?.values() ?? [values])].reduce((sum, keys) => sum + repeatedIn(keys).length, 0);
  const channels = groups === undefined ? '' : ` for ${groups.size} channel${groups.size === 1 ? '' : 's'}`;
  const count = (number: number) => (number === 0 ? 'none' : number.toLocaleString('en-US'));
  const held = `${count(values.length)} read${channels}, ${count(repeated)} repeated, ${count(blanks)} blank`;
  return `From ${JSON.stringify(cleanText(file, 200))} (${read}): ${held}.`;
}
