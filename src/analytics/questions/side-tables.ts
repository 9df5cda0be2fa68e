import { type Catalogue, setAsideText } from '../../account/catalogue.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ResultColumn, Scalar, SideTable } from '../contract.ts';
import type { QuestionContext } from './question-context.ts';

export const CHANNELS = ['key', 'id', 'name', 'description', 'template_key', 'created', 'updated'] as const;
export const PROJECTS = ['key', 'id', 'name', 'description', 'region', 'created', 'updated'] as const;
export const VIDEOS = ['key', 'id', 'title'] as const;

const MAX_TEXT = 500;

/** The tables of names. Only those that the query mentions are read; the others are empty. */
export async function sideTables(sql: string, { account, catalogue, signal }: QuestionContext) {
  const wants = (name: SideTable['name']): boolean => new RegExp(String.raw`\b${name}\b`, 'i').test(sql);
  const [channels, projects, videos] = await Promise.all([
    wants('channels') ? account.allChannels({ signal }) : [],
    wants('projects') ? account.allProjects({ signal }) : [],
    wants('videos') ? catalogue() : undefined,
  ]);
  const snake = (record: { readonly templateKey?: string | undefined }) => ({ ...record, template_key: record.templateKey });
  const tables = [
    tableOf('channels', CHANNELS, channels.map(snake)),
    tableOf('projects', PROJECTS, projects),
    tableOf('videos', VIDEOS, [...(videos?.entries() ?? [])]),
  ];
  const notes = tables.filter(({ name }) => wants(name)).map((table) => sourceNote(table, videos));
  return { tables, notes };
}

/** An empty table doesn't mean that there are no records. */
function sourceNote({ name, rows }: SideTable, catalogue: Catalogue | undefined): Sentence {
  if (name !== 'videos') return sentence`${name}: ${rows.length} rows, those that the service lists for this credential now.`;
  if (catalogue?.unusable !== undefined)
    return sentence`videos is EMPTY. ${catalogue.unusable.message} This says nothing of which videos exist.`;
  if (catalogue !== undefined)
    return sentence`videos: ${rows.length} rows, from the video catalogue file; the service can’t list videos, so others may exist.${catalogue.setAside.count === 0 ? '' : sentence` ${setAsideText(catalogue, 3)}`}`;
  return sentence`videos is EMPTY: no video catalogue is set (VIDEO_HOSTING_VIDEO_CATALOGUE), and the service can’t list videos. This says nothing of which videos exist; views has the video_key of each view.`;
}

function tableOf<Name extends string>(
  name: SideTable['name'],
  names: readonly Name[],
  records: readonly Readonly<Partial<Record<Name, string | undefined>>>[],
): SideTable {
  const columns = names.map((column): ResultColumn => ({ name: column, type: 'text' }));
  const text = (value: string | undefined): Scalar => (value === undefined ? null : cleanText(value, MAX_TEXT));
  return { name, columns, rows: records.map((record) => names.map((column) => text(record[column]))) };
}
