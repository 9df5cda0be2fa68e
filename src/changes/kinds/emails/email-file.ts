import { stringify } from 'csv-stringify/sync';
import type { Write } from '../../../files/export-file.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '../../../files/spreadsheet-cell.ts';
import type { CollectedEmail } from '../../../service/resources/emails.ts';
import { cleanText } from '../../../text/sanitize-text.ts';

/** The fields of a record, as a file has them where no others are asked for. */
export const EMAIL_FIELDS = ['fullName', 'email', 'mobileNumber', 'videoKey', 'channelKey', 'created'] as const;
export type EmailField = (typeof EMAIL_FIELDS)[number];

/** What a file of emails is. */
export interface EmailFormat {
  readonly as: 'csv' | 'json';
  /** Its columns, in order. */
  readonly fields: readonly EmailField[];
}

const BATCH_SIZE = 1_000;
const MAX_CELL = 32_000;

/** Writes records as they arrive, and returns how many. */
export async function writeEmails(format: EmailFormat, records: AsyncIterable<CollectedEmail>, write: Write): Promise<number> {
  const { header, rows, footer } = FORMATS[format.as](format.fields);
  let batch: CollectedEmail[] = [];
  let written = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await write(rows(batch, written === 0));
    written += batch.length;
    batch = [];
  };
  await write(header);
  for await (const record of records) if (batch.push(record) >= BATCH_SIZE) await flush();
  await flush();
  await write(footer);
  return written;
}

const FORMATS = {
  csv: (fields: readonly EmailField[]) => ({
    header: `${BYTE_ORDER_MARK}${stringify([[...fields]])}`,
    rows: (records: readonly CollectedEmail[]) => stringify(records.map((record) => fields.map((field) => cellOf(record[field] ?? '')))),
    footer: '',
  }),
  json: (fields: readonly EmailField[]) => ({
    header: '[',
    rows: (records: readonly CollectedEmail[], isFirst: boolean) =>
      `${isFirst ? '\n' : ',\n'}${records.map((record) => jsonOf(record, fields)).join(',\n')}`,
    footer: '\n]\n',
  }),
};

/** A text for a spreadsheet: no formula, no invisible characters, one line. */
const cellOf = (text: string): string => escapeFormulas(cleanText(text, MAX_CELL));

/** How many cells of a record begin as a formula would, so that a file in this format has an apostrophe in them. */
export function apostrophesIn(format: EmailFormat, record: CollectedEmail): number {
  if (format.as !== 'csv') return 0;
  return format.fields.filter((field) => {
    const text = cleanText(record[field] ?? '', MAX_CELL);
    return escapeFormulas(text) !== text;
  }).length;
}

/** Characters that JSON keeps and an editor does not show. */
const INVISIBLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A record for a program: each value as it came, invisible characters escaped. */
function jsonOf(record: CollectedEmail, fields: readonly EmailField[]): string {
  const text = JSON.stringify(Object.fromEntries(fields.map((field) => [field, record[field]])));
  return text.replace(INVISIBLE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
