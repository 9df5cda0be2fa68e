import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Finding } from '../../app/setup/finding.ts';

export interface DoctorReport {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly findings: readonly Finding[];
  readonly confirmation: string;
  readonly hidden: readonly string[];
  readonly notSet: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
}

type Paint = (style: 'green' | 'yellow' | 'red' | 'bold' | 'dim', text: string) => string;

/** Whether the output is coloured, by the same variables as in Node: NO_COLOR, FORCE_COLOR, TERM. */
export function wantsColours(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const isPossible = isTerminal || environment.FORCE_COLOR !== undefined;
  // In bits; 1 is no colour.
  return isPossible && WriteStream.prototype.getColorDepth(environment) > 1;
}

const MARKS = { fine: ['green', '✓'], note: ['yellow', '!'], wrong: ['red', '✗'] } as const;

/** The report as text: a line for each finding, with the remedy of a problem below it. */
export function toText(
  { version, node, platform, findings, confirmation, hidden, notSet, settings }: DoctorReport,
  isColoured: boolean,
): string {
  const paint: Paint = isColoured ? styleText : plain;
  const others = [
    ['Changes', confirmation],
    ...hidden.map((text) => ['Hidden', text]),
    ...notSet.map((text) => ['Not set', text]),
  ] as const;
  const width = widthOf([...findings.map(({ about }) => about), ...others.map(([about]) => about)]);
  const names = Object.keys(settings);
  const longest = Math.max(...names.map(({ length }) => length));
  return [
    paint('bold', `video-hosting-mcp ${version}`) + paint('dim', `, Node ${node}, ${platform}`),
    '',
    ...findingLines(findings, paint, width),
    ...others.map(([about, text]) => lineOf(' ', about, text, width)),
    '',
    ...names.map((name) => paint('dim', `${name.padEnd(longest)}  ${shownValue(settings[name])}`)),
    '',
    summaryOf(findings, paint),
    '',
  ].join('\n');
}

/** The same of a server for several people, which has settings of its own. */
export function serverText(
  { version, node, platform, findings }: Pick<DoctorReport, 'version' | 'node' | 'platform' | 'findings'>,
  isColoured: boolean,
): string {
  const paint: Paint = isColoured ? styleText : plain;
  const head = paint('bold', `video-hosting-mcp ${version}`) + paint('dim', `, Node ${node}, ${platform}`);
  return [head, '', ...findingLines(findings, paint), '', summaryOf(findings, paint), ''].join('\n');
}

const plain: Paint = (_, text) => text;
const widthOf = (names: readonly string[]): number => Math.max(...names.map(({ length }) => length));
const lineOf = (mark: string, name: string, text: string, width: number): string => `${mark} ${name.padEnd(width)}  ${text}`;

/** A line for each finding, with its remedy below it. */
export function findingLines(
  findings: readonly Finding[],
  paint: Paint = plain,
  width = widthOf(findings.map(({ about }) => about)),
): string[] {
  const indent = ' '.repeat(width + 4);
  return findings.flatMap(({ level, about, detail, remedy }) => {
    const [colour, mark] = MARKS[level];
    const next = remedy === undefined ? [] : [`${indent}${paint(colour, '→')} ${remedy}`];
    return [lineOf(paint(colour, mark), about, detail, width), ...next];
  });
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(', ');
  return typeof value === 'string' && /[^\x21-\x7e]/.test(value) && value !== 'not set' ? JSON.stringify(value) : String(value);
}

export function summaryOf(findings: readonly Finding[], paint: Paint = plain): string {
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  const [wrongs, notes] = [count('wrong'), count('note')];
  if (wrongs > 0) return paint('red', wrongs === 1 ? 'One thing is wrong.' : `${wrongs} things are wrong.`);
  if (notes > 0) return paint('yellow', `Nothing is wrong; ${notes === 1 ? 'one thing' : `${notes} things`} to know.`);
  return paint('green', 'Nothing is wrong.');
}
