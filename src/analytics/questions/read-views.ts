import { VideoHostingError } from '../../errors.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { AskedSpan, Coverage, FailedTries } from '../contract.ts';
import type { callTimes, QuestionContext } from './question-context.ts';

export interface ViewsRead {
  readonly coverage: readonly Coverage[];
  /** Reading continues in the background. */
  readonly stillReading: boolean;
}

/** Stored files that may turn out to be lost before a question fails. */
const MAX_LOSSES = 50;

/**
 * Reads the views of the spans while the call's time allows, then runs a query over them. If stored views turn out to be lost,
 * both are repeated, and `notes` says so.
 */
export async function queryViews<T>(
  spans: readonly AskedSpan[],
  context: QuestionContext,
  { readUntil, queryMs }: ReturnType<typeof callTimes>,
  query: (views: ViewsRead) => Promise<T>,
): Promise<{ readonly views: ViewsRead; readonly result: T; readonly notes: readonly Sentence[] }> {
  const notes: Sentence[] = [];
  for (;;) {
    const views = await readViews(spans, context, readUntil);
    try {
      const result = await query(views);
      const { store } = await context.analytics();
      const doubts = await context.whoseViews(spans, store, { signal: context.signal, timeoutMs: queryMs() });
      return { views, result, notes: [...doubts, ...notes] };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code !== 'views_gone' || notes.length >= MAX_LOSSES) throw error;
      notes.push(sentence`${error.message} They are read from the service again.`);
    }
  }
}

async function readViews(spans: readonly AskedSpan[], { analytics, call, progress }: QuestionContext, until: number): Promise<ViewsRead> {
  const { sync } = await analytics();
  const report = sumProgress(progress);
  const coverage = await Promise.all(
    spans.map((span, index) => sync.ensure(span, { signal: call.signal, until, progress: report(index) })),
  );
  const stillReading = coverage.some(({ complete, stillReading }) => !complete && stillReading === true);
  if (!stillReading && coverage.every(({ covered, complete }) => covered.length === 0 && !complete)) {
    const { failure, tries } = coverage.find((one) => one.failure !== undefined) ?? {};
    const { code = 'service_failed', hint } = failure ?? {};
    const tried = tries === undefined ? sentence`` : sentence` ${triesText(tries)}`;
    const message = sentence`No views could be read. ${coverage[0]?.missing ?? 'Nothing is held.'}${tried}`;
    throw new VideoHostingError(code, message, { cause: failure, ...(hint === undefined ? {} : { hint }) });
  }
  return { coverage, stillReading };
}

/** When it was tried, and when a further try makes sense. */
export function triesText({ count, first, last, retryAt }: FailedTries): Sentence {
  if (count === 1 && retryAt === undefined) return sentence`Ask the same again to have the rest read.`;
  if (count === 1) return sentence`Asking the same again makes sense from ${word(retryAt ?? '')} on.`;
  const next = retryAt === undefined ? sentence`once what the service refused has changed` : sentence`from ${word(retryAt)} on`;
  return sentence`Tried ${count} times since ${word(first)}, last at ${word(last)}; asking the same again makes sense ${next}.`;
}

function sumProgress(progress: QuestionContext['progress']): (index: number) => QuestionContext['progress'] {
  // Readings that have not reported yet are holes, which `reduce` skips.
  const parts: { done: number; total: number }[] = [];
  return (index) => (done, total, message) => {
    parts[index] = { done, total: total ?? done };
    const sum = (of: 'done' | 'total'): number => parts.reduce((all, part) => all + part[of], 0);
    progress(sum('done'), sum('total'), message);
  };
}
