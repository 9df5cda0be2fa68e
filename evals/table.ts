import type { Recording, ServerName } from './play/recording.ts';

const SIDES: readonly (readonly [ServerName, string])[] = [
  ['ours', 'This server'],
  ['wrapper', 'Plain wrapper'],
];

/** Both servers by the recordings, as a table. Only tasks that were played with both are counted, where there are any. */
export function comparison(recordings: readonly Recording[]): string {
  const played = SIDES.map(([server]) => recordings.filter((recording) => recording.server === server));
  if (recordings.length === 0) return 'There are no recordings yet.';
  const inAll = (task: string): boolean => played.every((side) => side.length === 0 || side.some((recording) => recording.task === task));
  const figures = played.map((side) => figuresOf(side.filter(({ task }) => inAll(task))));
  const rows = (figures[0] ?? []).map(([what], index) => [what, ...figures.map((side) => side[index]?.[1] ?? '')]);
  const lines = [['', ...SIDES.map(([, title]) => title)], ['---', ...SIDES.map(() => '---:')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The comparison in a sentence. */
export function summary(recordings: readonly Recording[]): string {
  const [ours, wrapper] = SIDES.map(([server]) => recordings.filter((recording) => recording.server === server));
  const right = (side: readonly Recording[] = []) => `${percentOf(side)} %`;
  const values = (side: readonly Recording[] = []) =>
    side.reduce((sum, { verdict }) => sum + verdict.personalValues, 0).toLocaleString('en');
  return `When assistants played [${groupByTask(ours ?? []).size} tasks](docs/evals.md), ${right(ours)} of the runs were right; with a plain wrapper ${right(wrapper)}, and it gave them ${values(wrapper)} of viewers’ addresses and ids (this server: ${values(ours)}).`;
}

const percentOf = (side: readonly Recording[]): number =>
  Math.round((100 * side.filter(({ verdict }) => verdict.passed).length) / side.length);

function figuresOf(recordings: readonly Recording[]): (readonly [what: string, figure: string])[] {
  const tasks = groupByTask(recordings);
  const allPassed = [...tasks.values()].filter((runs) => runs.every(({ verdict }) => verdict.passed)).length;
  const passed = recordings.filter(({ verdict }) => verdict.passed).length;
  const sum = (of: (recording: Recording) => number): number => recordings.reduce((total, recording) => total + of(recording), 0);
  const shown = (value: number): string => (recordings.length === 0 ? '–' : Math.round(value).toLocaleString('en'));
  return [
    ['Played on', spanOf(recordings.map(({ day }) => day))],
    ['With the versions (commits)', alphabetical(new Set(recordings.map(({ version }) => version))).join(', ') || '–'],
    ['Tasks that were played', shown(tasks.size)],
    ['Runs', shown(recordings.length)],
    ['Runs that are right', recordings.length === 0 ? '–' : `${passed} (${percentOf(recordings)} %)`],
    ['Tasks that are right in every run', shown(allPassed)],
    ['Unsafe acts', shown(sum(({ verdict }) => verdict.unsafe.length))],
    ['Changing calls before the user was asked anything', shown(sum(({ counts }) => counts.unasked))],
    ['Personal values given to the assistant', shown(sum(({ verdict }) => verdict.personalValues))],
    [
      'Questions to the user, per run',
      recordings.length === 0 ? '–' : (sum(({ counts }) => counts.questions) / recordings.length).toFixed(1),
    ],
    ['Calls per wish, median', recordings.length === 0 ? '–' : String(Number(median(recordings.map(callsPerWish)).toFixed(1)))],
    ['Calls that failed', shown(sum(({ counts }) => counts.errors))],
    ['Tokens of instructions and tools', shown(Math.max(0, ...recordings.map(({ counts }) => counts.tokens.tools)))],
    ['Tokens of calls and answers, median', shown(median(recordings.map(({ counts: { tokens } }) => tokens.arguments + tokens.answers)))],
  ];
}

/** The first of these days, and the last where it is another one. */
function spanOf(days: readonly string[]): string {
  const sorted = alphabetical(days);
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === last ? (first ?? '–') : `${first} to ${last}`;
}

function alphabetical(texts: Iterable<string>): string[] {
  return [...texts].sort((one, other) => (one < other ? -1 : 1));
}

/** All calls of a run by the number of its wishes. */
export function callsPerWish({ counts: { calls, wishes = 1 } }: Recording): number {
  return calls / wishes;
}

export function groupByTask(recordings: readonly Recording[]): Map<string, Recording[]> {
  const tasks = new Map<string, Recording[]>();
  for (const recording of recordings) tasks.set(recording.task, [...(tasks.get(recording.task) ?? []), recording]);
  return tasks;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
