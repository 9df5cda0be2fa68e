import { stringify } from 'csv-stringify/sync';
import type { CollectedEmail } from '../../service/resources/emails.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import type { Write } from './export-file.ts';

export type EmailFormat = 'csv' | 'json';

const FIELDS = ['fullName', 'email', 'mobileNumber', 'videoKey', 'channelKey', 'created'] as const;
const ROWS_AT_ONCE = 1_000;
const MAX_CELL = 32_000;

/** Writes records as they arrive, and returns how many. */
export async function writeEmails(format: EmailFormat, records: AsyncIterable<CollectedEmail>, write: Write): Promise<number> {
  const { begin, batch, end } = FORMATS[format];
  await write(begin);
  let waiting: CollectedEmail[] = [];
  let written = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await write(batch(waiting, written === 0));
    written += waiting.length;
    waiting = [];
  };
  for await (const record of records) if (waiting.push(record) >= ROWS_AT_ONCE) await flush();
  await flush();
  await write(end);
  return written;
}

interface Format {
  readonly begin: string;
  readonly batch: (records: readonly CollectedEmail[], first: boolean) => string;
  readonly end: string;
}

const FORMATS: Readonly<Record<EmailFormat, Format>> = {
  csv: {
    begin: stringify([[...FIELDS]]),
    batch: (records) => stringify(records.map((record) => FIELDS.map((field) => cellOf(record[field] ?? '')))),
    end: '',
  },
  json: {
    begin: '[',
    batch: (records, first) => `${first ? '\n' : ',\n'}${records.map(jsonOf).join(',\n')}`,
    end: '\n]\n',
  },
};

/** What makes a spreadsheet take a cell for a formula, also where it parts cells at another sign than a comma. */
const FORMULA = /(^|[;\t|])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text for a spreadsheet: no formula, nothing that can't be seen, one line. */
const cellOf = (text: string): string => cleanText(text, MAX_CELL).replace(FORMULA, "$1'");

/** Characters that JSON leaves as they are and a terminal or an editor does not. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A record for a program: each value as it came, whatever can't be seen written as an escape. */
function jsonOf(record: CollectedEmail): string {
  const text = JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, record[field]])));
  return text.replace(UNSEEN, (sign) => [...Array(sign.length).keys()].map((at) => escapeOf(sign.charCodeAt(at))).join(''));
}

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
