import type { Coverage, Span } from '../../analytics/contract.ts';
import { VideoHostingError } from '../../errors.ts';
import type { ToolContext } from '../define-tool.ts';
import type { Analytics } from './open-analytics.ts';

/** What is held of each span, and what becomes of the rest. */
export interface Readings {
  readonly coverage: readonly Coverage[];
  /** The call's time was over first; the reading goes on. */
  readonly goesOn: boolean;
}

/**
 * Has the views of spans read, until it is done or `until` has come; then it goes on without the
 * call. Throws where nothing at all could be read.
 */
export async function readViews(
  spans: readonly Span[],
  { sync }: Pick<Analytics, 'sync'>,
  { call, progress }: Pick<ToolContext, 'call' | 'progress'>,
  until: number,
): Promise<Readings> {
  const report = together(progress);
  // The call's own signal: what goes on must not end with the call's budget, only where the client gives up.
  const coverage = await Promise.all(spans.map((span, at) => sync.ensure(span, { signal: call.signal, until, progress: report(at) })));
  const goesOn = coverage.some(({ complete }) => !complete) && Date.now() >= until;
  if (!goesOn && coverage.every(({ held, complete }) => held.length === 0 && !complete)) {
    const failure = coverage.find((one) => one.failure !== undefined)?.failure;
    const { code = 'service_failed', hint } = failure ?? {};
    const said = `No views could be read: ${coverage[0]?.missing ?? 'nothing is held'}.`;
    throw new VideoHostingError(code, said, { cause: failure, ...(hint === undefined ? {} : { hint }) });
  }
  return { coverage, goesOn };
}

/** What came of a question, and of the views that it was asked of. */
export interface OverViews<T> {
  readonly readings: Readings;
  readonly found: T;
  /** What became of views that were held and could not be used. */
  readonly notes: readonly string[];
}

/** Files that may turn out to be lost, one after the other, before a question is given up. */
const MAX_LOSSES = 50;

/** Reads the views of spans and asks them something; where views that were held turn out to be lost, again, with those read anew. */
export async function overViews<T>(read: () => Promise<Readings>, ask: (readings: Readings) => Promise<T>): Promise<OverViews<T>> {
  const notes: string[] = [];
  for (;;) {
    const readings = await read();
    try {
      return { readings, found: await ask(readings), notes };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code !== 'views_gone' || notes.length >= MAX_LOSSES) throw error;
      notes.push(`${error.message} They are read from the service again.`);
    }
  }
}

/** One progress of several. */
function together(progress: ToolContext['progress']): (at: number) => ToolContext['progress'] {
  // Those that have not told of any yet are left out by `reduce`.
  const parts: { done: number; total: number }[] = [];
  return (at) => (done, total, message) => {
    parts[at] = { done, total: total ?? done };
    const sum = (of: 'done' | 'total'): number => parts.reduce((all, part) => all + part[of], 0);
    progress(sum('done'), sum('total'), message);
  };
}

/** The share of a span that is held. */
function heldShare({ asked, held }: Coverage): number {
  const whole = asked.toMs - asked.fromMs;
  const covered = held.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, asked.toMs) - Math.max(fromMs, asked.fromMs)), 0);
  return whole <= 0 ? 1 : Math.min(1, covered / whole);
}

const iso = (ms: number): string => new Date(ms).toISOString();
const MAX_SPANS = 20;
const MAX_REASONS = 10;

/** Coverage as it is answered. */
export function coverageOf(coverage: Coverage, { goesOn }: Pick<Readings, 'goesOn'>) {
  const { asked, held, reach, complete, asOf, records, setAside, missing } = coverage;
  return {
    from: iso(asked.fromMs),
    to: iso(asked.toMs),
    complete,
    heldShare: complete ? 1 : heldShare(coverage),
    held: held.slice(0, MAX_SPANS).map(({ fromMs, toMs }) => ({ from: iso(fromMs), to: iso(toMs) })),
    reach: reach === null ? null : { from: iso(reach.fromMs), to: iso(reach.toMs - 1) },
    asOf,
    records,
    setAside: { count: setAside.count, reasons: setAside.reasons.slice(0, MAX_REASONS) },
    ...(complete ? {} : { stillReading: goesOn }),
    ...(complete || missing === undefined ? {} : { missing }),
  };
}
