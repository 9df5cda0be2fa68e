import type { Column, Scalar, SideTable } from '../../analytics/contract.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import type { ToolContext } from '../define-tool.ts';

const CHANNELS = ['key', 'id', 'name', 'description', 'template_key', 'created', 'updated'] as const;
const PROJECTS = ['key', 'id', 'name', 'description', 'region', 'created', 'updated'] as const;
const VIDEOS = ['key', 'id', 'title'] as const;

const MAX_TEXT = 500;

type Reading = Pick<ToolContext, 'account' | 'catalogue' | 'signal'>;

/** The tables of names that a query mentions, empty where it doesn't: they need not be read then. */
export async function sideTables(sql: string, { account, catalogue, signal }: Reading): Promise<SideTable[]> {
  const wants = (name: string): boolean => new RegExp(String.raw`\b${name}\b`, 'i').test(sql);
  const [channels, projects, videos] = await Promise.all([
    wants('channels') ? account.allChannels({ signal }) : [],
    wants('projects') ? account.allProjects({ signal }) : [],
    wants('videos') ? catalogue() : undefined,
  ]);
  const snake = (record: { readonly templateKey?: string | undefined }) => ({ ...record, template_key: record.templateKey });
  return [
    tableOf('channels', CHANNELS, channels.map(snake)),
    tableOf('projects', PROJECTS, projects),
    tableOf('videos', VIDEOS, [...(videos?.entries() ?? [])]),
  ];
}

function tableOf<Name extends string>(
  name: SideTable['name'],
  names: readonly Name[],
  records: readonly Readonly<Partial<Record<Name, string | undefined>>>[],
): SideTable {
  const columns = names.map((column): Column => ({ name: column, type: 'text' }));
  const text = (value: string | undefined): Scalar => (value === undefined ? null : cleanText(value, MAX_TEXT));
  return { name, columns, rows: records.map((record) => names.map((column) => text(record[column]))) };
}
