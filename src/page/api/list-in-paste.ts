import type { Catalogue } from '../../account/catalogue.ts';
import { isVideoColumn } from '../../files/columns.ts';
import { isKnownVideo } from '../../files/known-videos.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/**
 * What people paste, as `readTable` reads it: several values in one line, and a JSON object around the list. The person sees what was
 * read. In a file that a tool is given, such a line is a row of a table, of which one column is the videos.
 */
export function listInPaste(text: string, catalogue: Catalogue | undefined): string {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('{')) return listInObject(parseJsonOrUndefined(trimmed)) ?? text;
  const isLine = !trimmed.startsWith('[') && !/[\r\n]/.test(trimmed) && !isKnownVideo(trimmed, catalogue);
  const cells = isLine ? valuesIn(trimmed) : [];
  return cells.length > 1 && !cells.some(isVideoColumn) ? cells.join('\n') : text;
}

/** The values in a line that is not one itself, by the separator that it has. */
export const valuesIn = (line: string): string[] => line.split(line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',');

/** The only list in an object, else the one that is named after videos. */
function listInObject(value: unknown): string | undefined {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const lists = fields.filter(([, list]) => Array.isArray(list));
  const named = lists.find(([name]) => isVideoColumn(name)) ?? (lists.length === 1 ? lists[0] : undefined);
  return named === undefined ? undefined : JSON.stringify(named[1]);
}
