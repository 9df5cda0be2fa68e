import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import type { Settings } from '../../config/settings.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { Ask, FilterArguments, Flags, Span } from '../contract.ts';
import type { Dimension } from '../dimensions.ts';
import type { Metric, SHARE } from '../metrics.ts';
import type { Analytics } from '../open-analytics.ts';
import type { CompareTo } from '../resolve/comparison-period.ts';
import type { SpanQuery } from '../resolve/dates.ts';
import type { ViewReader } from '../storage/contract.ts';

/** Says that views may be of another account than the one that is asked about, where that is so. */
export type WhoseViews = (spans: readonly Span[], store: ViewReader, how: Ask) => Promise<readonly Sentence[]>;

export interface QuestionContext {
  readonly account: Pick<Account, 'nameChannel' | 'nameProject' | 'allChannels' | 'allProjects'>;
  readonly catalogue: () => Promise<Catalogue | undefined>;
  readonly analytics: () => Promise<Analytics>;
  readonly whoseViews: WhoseViews;
  readonly settings: Pick<Settings, 'callBudgetMs'>;
  /** The client's own signal. Reading continues after a call's budget is spent, and stops only with this signal. */
  readonly call: { readonly signal: AbortSignal };
  /** Aborted when the client cancels the call or its budget is spent. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

export interface QuestionInput extends SpanQuery, FilterArguments, Flags {
  readonly metrics?: readonly (Metric | typeof SHARE)[] | undefined;
  readonly groupBy?: readonly Dimension[] | undefined;
  readonly weekdays?: readonly string[] | undefined;
  readonly orderBy?: string | undefined;
  readonly compareTo?: CompareTo | undefined;
}

/** The rest of a call's budget is for names, a chart and the answer. */
const READING_SHARE = 0.7;
const QUERY_SHARE = 0.95;
const MAX_QUERY_MS = 30_000;

export function callTimes({ callBudgetMs }: Pick<Settings, 'callBudgetMs'>) {
  const start = Date.now();
  return {
    readUntil: start + callBudgetMs * READING_SHARE,
    queryMs: () => Math.max(200, Math.min(MAX_QUERY_MS, start + callBudgetMs * QUERY_SHARE - Date.now())),
  };
}
