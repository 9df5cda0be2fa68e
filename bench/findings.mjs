import { cpus, totalmem } from 'node:os';

/**
 * What a benchmark found: a thing that was measured, what it was measured against, one figure, and the goal, if there is
 * one. `{ what, against?, ratio | ms | mb | tokens | us, atMost? | below? | atLeast? }`; no figure where the system doesn't tell.
 */
const UNITS = {
  ratio: (value) => `${plain(value)} ×`,
  ms: (value) => `${plain(value)} ms`,
  mb: (value) => `${plain(value)} MB`,
  tokens: (value) => `${Math.round(value).toLocaleString('en')} tokens`,
};

const plain = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3))));

function unitOf(finding) {
  const unit = Object.keys(UNITS).find((name) => name in finding);
  if (unit === undefined) throw new TypeError(`No figure: ${JSON.stringify(finding)}`);
  return unit;
}

const GOALS = {
  atMost: ['≤', (value, goal) => value <= goal],
  below: ['<', (value, goal) => value < goal],
  atLeast: ['≥', (value, goal) => value >= goal],
};

/** `{ what, against, figure, goal, met }`, as texts; `met` is undefined where there is no goal or no figure. */
export function judged(finding) {
  const unit = unitOf(finding);
  const value = finding[unit];
  const kind = Object.keys(GOALS).find((name) => name in finding);
  const [sign, holds] = GOALS[kind] ?? [];
  return {
    what: finding.what,
    against: finding.against ?? '',
    figure: value === undefined ? 'not measurable here' : UNITS[unit](value),
    goal: kind === undefined ? '' : `${sign} ${UNITS[unit](finding[kind])}`,
    met: kind === undefined || value === undefined ? undefined : holds(value, finding[kind]),
  };
}

const MARK = { true: 'yes', false: '**no**', undefined: '' };

/** The figures as Markdown, after what they were measured on. */
export function figuresTable(findings, date) {
  const { model } = cpus()[0];
  const rows = findings
    .map(judged)
    .map(({ what, against, figure, goal, met }) => `| ${[what, against, figure, goal, MARK[met]].join(' | ')} |`);
  return `Measured ${date.toISOString().slice(0, 10)}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform}, Node ${process.versions.node}.

| What | Against | Figure | Goal | Met |
| --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}
