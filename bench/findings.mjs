import { cpus, totalmem } from 'node:os';

/**
 * A finding of a benchmark is the thing that was measured, what it was measured against, one figure, and its target:
 * `{ what, against?, ratio | ms | mb | tokens | requests, atMost | below | atLeast }`. The figure is undefined where the system has none.
 */
const UNITS = {
  ratio: (value) => `${plain(value)} ×`,
  ms: (value) => `${plain(value)} ms`,
  mb: (value) => `${plain(value)} MB`,
  requests: (value) => `${plain(value)} requests`,
  tokens: (value) => `${Math.round(value).toLocaleString('en')} tokens`,
};

const plain = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3))));

function unitOf(finding) {
  const unit = Object.keys(UNITS).find((name) => name in finding);
  if (unit === undefined) throw new TypeError(`No figure: ${JSON.stringify(finding)}`);
  return unit;
}

const TARGETS = {
  atMost: ['≤', (value, target) => value <= target],
  below: ['<', (value, target) => value < target],
  atLeast: ['≥', (value, target) => value >= target],
};

/** `{ what, against, figure, target, met }` as texts; `met` is undefined where there is no figure. */
export function judged(finding) {
  const unit = unitOf(finding);
  const value = finding[unit];
  const kind = Object.keys(TARGETS).find((name) => name in finding);
  const [sign, holds] = TARGETS[kind];
  return {
    what: finding.what,
    against: finding.against ?? '',
    figure: value === undefined ? 'not measurable here' : UNITS[unit](value),
    target: `${sign} ${UNITS[unit](finding[kind])}`,
    met: value === undefined ? undefined : holds(value, finding[kind]),
  };
}

const MARK = { true: 'yes', false: '**no**', undefined: '' };

/** The machine and the figures, as Markdown. */
export function figuresTable(findings, date) {
  const { model } = cpus()[0];
  const rows = findings
    .map(judged)
    .map(({ what, against, figure, target, met }) => `| ${[what, against, figure, target, MARK[met]].join(' | ')} |`);
  return `Measured ${date.toISOString().slice(0, 10)}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform}, Node ${process.versions.node}.

| What | Against | Figure | Target | Met |
| --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}
