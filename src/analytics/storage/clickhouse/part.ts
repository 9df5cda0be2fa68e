/**
 * A part is what one reading of a span brought: rows with one number, which count once the record names it. ClickHouse has
 * no transactions, so what is wrong with a part is left behind, and removed by `tidy.ts`. `write-part.ts` sends it.
 */
import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { VIEW_COLUMNS } from '../../columns.ts';
import { lineOf } from './lines.ts';

/** Bits below the milliseconds in a part's number. */
const RANDOM_BITS = 22n;

/** A number that no other part has, in decimal digits: when it was begun, and chance. It fits a UInt64. */
export const newPart = (nowMs: number): string =>
  String((BigInt(Math.trunc(nowMs)) << RANDOM_BITS) + BigInt(randomInt(2 ** Number(RANDOM_BITS))));

/** When it was begun, by its writer's clock, in milliseconds since 1970. */
export const partBegunMs = (part: string): number => Number(BigInt(part) >> RANDOM_BITS);

/** Numbers of parts as a list in a statement: digits, and nothing else. Throws a `TypeError`. */
export function partList(parts: readonly string[]): string {
  if (!parts.every((part) => /^\d{1,20}$/.test(part))) throw new TypeError('A part has a number.');
  return parts.join(', ');
}

const PLACE_OF_TIME = VIEW_COLUMNS.findIndex(({ name }) => name === 'ts');

/** What a part is made of. */
export interface PartRows {
  readonly rows: number;
  /** The rows, as lines for the store. The last line of an id counts. */
  lines(account: string, part: string): AsyncGenerator<string>;
}

/** What is in files of lines that a sync wrote (`spool.ts`), each id once. Reads them now, and again for the lines. */
export async function readPart(files: readonly string[]): Promise<PartRows> {
  const newest = new Map<string, number>();
  let count = 0;
  for await (const line of linesIn(files)) {
    newest.set(idOf(line), count);
    count += 1;
  }
  const hasRepeats = newest.size < count;
  return {
    rows: newest.size,
    async *lines(account, part) {
      let at = 0;
      for await (const line of linesIn(files)) {
        if (!hasRepeats || newest.get(idOf(line)) === at) yield storedLine(line, account, part);
        at += 1;
      }
    },
  };
}

/** A line's id, as it is written, in JSON: what differs there differs. */
const idOf = (line: string): string => /^\["(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? line;

function storedLine(line: string, account: string, part: string): string {
  // Written by `spool.ts`.
  const values = JSON.parse(line) as (string | number | boolean | null)[];
  values[PLACE_OF_TIME] = Math.floor(Number(values[PLACE_OF_TIME]) / 1_000);
  return lineOf([account, part, ...values]);
}

async function* linesIn(files: readonly string[]): AsyncGenerator<string> {
  for (const file of files) {
    let rest = '';
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1_024 })) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  }
}
