/** Asks through a real client and returns all rows of the answer, from its report if the answer was cut. */
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { TestClient, ToolReply, Values } from '../../harness/client.ts';
import type { Cell } from './oracle.ts';

const ReachSchema = z.object({ from: z.string(), to: z.string() }).nullable();
const AnswerSchema = z.looseObject({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  totals: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  coverage: z.looseObject({
    complete: z.boolean(),
    records: z.number(),
    reach: ReachSchema.optional(),
    stillReading: z.boolean().optional(),
  }),
  before: z.looseObject({ reach: ReachSchema.optional() }).optional(),
  report: z.string(),
  reportFile: z.string().optional(),
});
export type AnalyticsAnswer = ReturnType<typeof withoutMarks>;

const isMark = (name: string): boolean => /^counted|_per_day(?:_before)?$/.test(name);

/** How many days a total counts, and what that is a day, has tests of its own. */
function withoutMarks({ columns, rows, totals, ...answer }: z.output<typeof AnswerSchema>) {
  const hasTimes = columns.some(({ name }) => name === 'week' || name === 'month');
  const kept = columns.map(({ name }) => hasTimes || !isMark(name));
  const numbers = Object.entries(totals).flatMap(([name, value]) =>
    isMark(name) || typeof value === 'string' ? [] : [[name, value] as const],
  );
  return {
    ...answer,
    columns: columns.filter((_, index) => kept[index]),
    rows: rows.map((row) => row.filter((_, index) => kept[index])),
    totals: Object.fromEntries(numbers),
    marks: Object.fromEntries(Object.entries(totals).filter(([name]) => isMark(name))),
    /** With its marks. */
    markedRows: rows,
  };
}

/** An answer leaves out the reach if it includes the whole span. */
const EVERYTHING = { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' };

/** The times of the first and last stored record of a span, by its coverage. */
export const reachOf = ({ reach }: { readonly reach?: z.output<typeof ReachSchema> | undefined }): z.output<typeof ReachSchema> =>
  reach === undefined ? EVERYTHING : reach;

export function answerIn(reply: ToolReply): AnalyticsAnswer {
  if (reply.isError) throw new Error(reply.text);
  return withoutMarks(AnswerSchema.parse(reply.data));
}

export async function ask(client: TestClient, args: Values): Promise<AnalyticsAnswer> {
  const answer = answerIn(await client.callTool('query_analytics', args));
  // The first read of many views can outlast its call; the answer then says so.
  if (answer.coverage.stillReading === true) return ask(client, args);
  if (answer.reportFile === undefined) return answer;
  const csv: string[][] = parse(await client.readResource(answer.report));
  const rows = csv.slice(1).map((row) => row.map((text, at) => cellOf(text, answer.columns[at]?.type)));
  return { ...answer, rows };
}

function cellOf(text: string, type: string | undefined): Cell {
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

/** Values by their dimensions, without the columns of names and titles. */
export function byDimensions({ columns, rows }: AnalyticsAnswer, groupBy: readonly string[]): Map<string, Record<string, Cell>> {
  const isName = (name: string): boolean => /_(name|title)$/.test(name);
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  // How much of a week or a month is counted has tests of its own.
  const values = columns.map(({ name }) => name).filter((name) => !groupBy.includes(name) && !isName(name) && name !== 'counted');
  return new Map(
    rows.map((row) => [
      JSON.stringify(groupBy.map((name) => row[place(name)] ?? null)),
      Object.fromEntries(values.map((name) => [name, row[place(name)] ?? null])),
    ]),
  );
}
