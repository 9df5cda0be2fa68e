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
export function toText({ version, node, platform, findings, confirmation, hidden, settings }: DoctorReport, isColoured: boolean): string {
  const paint: Paint = isColoured ? styleText : (_, text) => text;
  const about = [...findings.map((finding) => finding.about), 'Changes', 'Hidden'];
  const width = Math.max(...about.map(({ length }) => length));
  const indent = ' '.repeat(width + 4);
  const line = (mark: string, name: string, text: string): string => `${mark} ${name.padEnd(width)}  ${text}`;
  const shown = findings.flatMap(({ level, about: name, detail, remedy }) => {
    const [colour, mark] = MARKS[level];
    return [line(paint(colour, mark), name, detail), ...(remedy === undefined ? [] : [`${indent}${paint(colour, '→')} ${remedy}`])];
  });
  const names = Object.keys(settings);
  const longest = Math.max(...names.map(({ length }) => length));
  return [
    paint('bold', `video-hosting-mcp ${version}`) + paint('dim', `, Node ${node}, ${platform}`),
    '',
    ...shown,
    line(' ', 'Changes', confirmation),
    ...hidden.map((sentence) => line(' ', 'Hidden', sentence)),
    '',
    ...names.map((name) => paint('dim', `${name.padEnd(longest)}  ${shownValue(settings[name])}`)),
    '',
    summary(findings, paint),
    '',
  ].join('\n');
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(shownValue).join(', ');
  return typeof value === 'string' && /[^\x21-\x7e]/.test(value) && value !== 'not set' ? JSON.stringify(value) : String(value);
}

function summary(findings: readonly Finding[], paint: Paint): string {
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  const [wrongs, notes] = [count('wrong'), count('note')];
  if (wrongs > 0) return paint('red', wrongs === 1 ? 'One thing is wrong.' : `${wrongs} things are wrong.`);
  if (notes > 0) return paint('yellow', `Nothing is wrong; ${notes === 1 ? 'one thing' : `${notes} things`} to know.`);
  return paint('green', 'Nothing is wrong.');
}
