import { definedFields } from '../../platform/defined-fields.ts';
import { isOfSameBoot, type ProcessInfo, thisProcess } from '../../platform/process-liveness.ts';
import { sentence } from '../../text/sentence.ts';
import type { Agreed, Stopped } from '../plan/asked-and-decided.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { type BulkState, createBulkState, isNotSent, type Outcome } from './bulk-state.ts';
import { isOwnerAtWork } from './change-owner.ts';
import { type Counts, countsOfIds, countsOfItems, statusOf } from './change-status.ts';
import { type Intent, type ItemOutcome, isNewerLine, type Line, type PlannedItem, parseLine } from './format.ts';

export type ItemState = PlannedItem &
  Omit<ItemOutcome, 'outcome' | 'seen'> & {
    /** `unknown`: its request was about to be sent and nothing tells what became of it. `pending`: of a running change. */
    readonly outcome: Outcome | 'pending';
    readonly seenAfter?: ItemOutcome['seen'];
    /** By a later look. */
    readonly found?: boolean | undefined;
    readonly at?: string;
    /** When its last request was sent. */
    readonly sentAt?: string;
    /** It had failed, was sent again and failed once more. */
    readonly failedAgain?: true;
  };

/** `interrupted`: the process that carried it out ended in the middle. One whose outcomes are all known is what they make of it. */
export const RECORD_STATUSES = ['applied', 'partly_applied', 'running', 'stopped', 'failed', 'interrupted'] as const;

export interface ChangeRecord {
  /** With what was asked and decided last, and the notices of whoever agreed then. */
  readonly intent: Intent;
  /** When it was begun, and each time that it was carried on. */
  readonly agreed: readonly Agreed[];
  /** Who had it stopped before it was carried on, where that is known. */
  readonly stoppedBefore: readonly Stopped[];
  readonly items: readonly ItemState[];
  /** Of a bulk change, which has no items. */
  readonly bulk?: BulkState;
  /** Of a bulk change: by when the service had each id for the last time, in milliseconds since the epoch; 0 where no line tells. */
  readonly sentBy?: (index: number) => number;
  /** Of a bulk change: whether an id had failed, was sent again and failed once more. */
  readonly hasFailedAgain?: (index: number) => boolean;
  /** 0 for the process that began it, one more for each that resumed it. */
  readonly epoch: number;
  readonly status: (typeof RECORD_STATUSES)[number];
  readonly ended?: Pick<End, 'at' | 'message' | 'hint' | 'advice' | 'setup' | 'wantsJwt' | 'credential' | 'stopped' | 'resumeFrom'>;
  /** Until when its process was at work, in milliseconds since the epoch. */
  readonly untilMs: number;
  /** Of a bulk change: requests sent in all epochs. The end of an epoch has their number; without it, each batch counts as one. */
  readonly requests: number;
  /** Where it was resumed: what was done before the latest epoch, and what was sent in it. */
  readonly resumed?: Resumed;
  readonly damagedLines: number;
}

interface Resumed {
  readonly at: string;
  readonly doneBefore: number;
  readonly sent: number;
  readonly requests: number;
}

type ItemEvent = Extract<Line, { type: 'sending' | 'outcome' }>;
type End = Extract<Line, { type: 'end' }>;

/**
 * Reads a change's file, last modified at `touchedMs`. Undefined when it has no intent, and then nothing was sent unless that is damaged; and when a newer
 * version wrote any of it: what this one knows of it may mean something else.
 */
export function replayLines(text: string, touchedMs: number): ChangeRecord | undefined {
  const { parsed, damaged, lost, isNewer } = readLines(text);
  const intent = parsed.find((line) => line.type === 'intent');
  if (intent === undefined || isNewer) return undefined;
  const events = new Map<string, ItemEvent>();
  const sentAt = new Map<string, string>();
  const bulk = intent.ids === undefined ? undefined : createBulkState(intent.ids, TRAITS[intent.kind].ofMany);
  const retries = createRetries();
  let [requestsBefore, requests] = [0, 0];
  let owner: ProcessInfo = intent.process;
  let { asked, decided, notices, shown } = intent;
  const agreed: Agreed[] = [{ asked, decided }];
  const stoppedBefore: Stopped[] = [];
  let epoch = 0;
  let end: End | undefined;
  let resumption: ReturnType<typeof createResumption> | undefined;
  const ranges: RangeLine[] = [];
  for (const line of parsed) {
    if ('epoch' in line && line.epoch < epoch) continue;
    if (line.type === 'range-sending' || line.type === 'range' || line.type === 'resumed') ranges.push(line);
    const earlier = 'id' in line ? events.get(line.id) : undefined;
    if (line.type === 'outcome' && line.found === true)
      events.set(line.id, { ...line, at: earlier?.at ?? line.at, ...(earlier?.type === 'outcome' ? { lostAt: earlier.lostAt } : {}) });
    else if (line.type === 'sending' || line.type === 'outcome') {
      if (line.type === 'sending') sentAt.set(line.id, line.at);
      if (line.type === 'outcome') retries.ended(line.id, line.outcome === 'failed');
      else if (earlier?.type === 'outcome' && earlier.outcome === 'failed') retries.begin(line.id);
      events.set(line.id, line);
    } else if (line.type === 'range-sending') {
      requests += 1;
      for (let index = line.from; index < line.to; index += 1) if (bulk?.statusAt(index) === 'failed') retries.begin(index);
      bulk?.markSending(line.from, line.to);
    } else if (line.type === 'range') {
      const isFailure = line.outcome === 'failed' && line.kept !== true;
      if (line.outcome !== 'retrying') for (let index = line.from; index < line.to; index += 1) retries.ended(index, isFailure);
      bulk?.mark(line.from, line.to, line.outcome, line.reason);
    } else if (line.type === 'end') {
      requests = line.requests ?? requests;
      end = line;
    } else if (line.type === 'resumed') {
      if (end === undefined) markUnflushed(bulk, owner, line.process);
      if (end?.stopped !== undefined) stoppedBefore.push(end.stopped);
      owner = line.process;
      epoch = line.epoch;
      end = undefined;
      requestsBefore += requests;
      requests = 0;
      ({ asked, decided = decided, notices = notices, shown } = line);
      agreed.push({ asked, decided });
      resumption ??= createResumption(intent.ids ?? 0);
      resumption.begin(line.at, bulk?.count('done') ?? countDone(events));
    }
    resumption?.add(line);
  }
  const status = end?.status ?? (isOwnerAtWork(intent.changeId, owner, touchedMs) ? 'running' : 'interrupted');
  if (status === 'interrupted') markUnflushed(bulk, owner, thisProcess());
  if (status !== 'running') settleBulk(bulk, lost > 0);
  const items = intent.items.map((item) => {
    const sent = sentAt.get(item.id);
    const known = { sentAt: sent, failedAgain: retries.hasFailed(item.id) || undefined };
    return { ...item, ...stateOf(events.get(item.id), status, lost > 0), ...definedFields(known) };
  });
  const counts = bulk === undefined ? countsOfItems(intent.kind, items) : countsOfIds(bulk);
  const untilMs = status === 'running' ? Number.POSITIVE_INFINITY : end === undefined ? touchedMs : Date.parse(end.at);
  const hasFound = [...events.values()].some((event) => event.type === 'outcome' && event.found === true);
  return {
    intent: { ...intent, asked, decided, notices, shown },
    ...{ agreed, stoppedBefore },
    items,
    ...(bulk === undefined ? {} : { bulk, sentBy: sentByOf(ranges, bulk.total, untilMs), hasFailedAgain: retries.hasFailed }),
    epoch,
    untilMs,
    status: status === 'interrupted' ? statusCutOff(counts, epoch, lost) : hasFound ? statusAfterLook(status, counts) : status,
    ...(end === undefined ? {} : { ended: endedIn(end) }),
    requests: requestsBefore + requests,
    ...(resumption === undefined ? {} : { resumed: { ...resumption.counts(), requests } }),
    damagedLines: damaged,
  };
}

const endedIn = ({
  at,
  message,
  hint,
  advice,
  setup,
  wantsJwt,
  credential,
  stopped,
  resumeFrom,
}: End): NonNullable<ChangeRecord['ended']> => ({
  at,
  ...definedFields({ message, hint, advice, setup, wantsJwt, credential, stopped, resumeFrom }),
});

/** The status of a change whose outcomes were in part found later. */
function statusAfterLook(status: ChangeRecord['status'], counts: Counts): ChangeRecord['status'] {
  const now = statusOf(counts, status === 'stopped');
  return now === 'applied' || status !== 'running' ? now : status;
}

/**
 * The status of a change whose process ended before it wrote the end. Where nothing was left to be done but that, it is as if it had been written.
 * What failed before a change was carried on may have been about to be sent again.
 */
function statusCutOff(counts: Counts, epoch: number, lost: number): ChangeRecord['status'] {
  const isOver = counts.done === counts.total || (epoch === 0 && lost === 0 && counts.unknown + counts.notDone === 0);
  return isOver ? statusOf(counts, false) : 'interrupted';
}

/**
 * Parses the lines. A process that is killed leaves at most a torn last line, and a process that resumes or looks again begins a new one. Any
 * other line that can't be parsed is `lost`: it may have announced a request.
 */
function readLines(text: string) {
  const texts = text.split('\n');
  const lines = texts.map((line) => (line === '' ? 'blank' : parseLine(line)));
  const damaged = lines.filter((line) => line === undefined).length;
  const lost = lines.filter((line, index) => {
    const next = lines[index + 1];
    const isNewWriter = typeof next === 'object' && (next.type === 'resumed' || (next.type === 'outcome' && next.found === true));
    const isTorn = index === lines.length - 1 || isNewWriter;
    return line === undefined && !isTorn;
  }).length;
  const isNewer = damaged > 0 && texts.some((line, index) => lines[index] === undefined && isNewerLine(line));
  return { parsed: lines.filter((line) => typeof line === 'object'), damaged, lost, isNewer };
}

/** Whether a newer version of this program wrote any of a change's file. */
export const isWrittenByNewer = (text: string): boolean => readLines(text).isNewer;

const countDone = (events: ReadonlyMap<string, ItemEvent>): number =>
  [...events.values()].filter((event) => event.type === 'outcome' && event.outcome === 'done').length;

/** Which items, or ids by their index, failed, were sent again and failed once more. */
function createRetries() {
  const underWay = new Set<string | number>();
  const failed = new Set<string | number>();
  return {
    begin: (key: string | number): void => void underWay.add(key),
    ended(key: string | number, isFailure: boolean): void {
      if (underWay.delete(key) && isFailure) failed.add(key);
    },
    hasFailed: (key: string | number): boolean => failed.has(key),
  };
}

/** Counts what is sent in the latest epoch, of items or of `total` ids; what is sent again in it counts once. */
function createResumption(total: number) {
  let latest = { at: '', doneBefore: 0 };
  const items = new Set<string>();
  const ids = new Uint8Array(total);
  return {
    begin(at: string, doneBefore: number): void {
      latest = { at, doneBefore };
      items.clear();
      ids.fill(0);
    },
    counts: () => ({ ...latest, sent: items.size + ids.reduce((sum, isSent) => sum + isSent, 0) }),
    add(line: Line): void {
      if (line.type === 'sending') items.add(line.id);
      else if (line.type === 'range-sending') ids.fill(1, line.from, line.to);
    },
  };
}

type RangeLine = Extract<Line, { type: 'range-sending' | 'range' | 'resumed' }>;

/** By when the service had each id for the last time; worked out when it is first asked. What was not answered may have arrived until the end. */
function sentByOf(lines: readonly RangeLine[], total: number, endMs: number): (index: number) => number {
  const replay = () => {
    const times = new Float64Array(total);
    const answered = (from: number, to: number, ms: number) => {
      for (let index = from; index < to; index += 1) if (times[index] === Number.POSITIVE_INFINITY) times[index] = ms;
    };
    for (const line of lines) {
      if (line.type === 'range-sending') times.fill(Number.POSITIVE_INFINITY, line.from, line.to);
      else if (line.type === 'range') answered(line.from, line.to, Date.parse(line.at));
      else answered(0, total, Date.parse(line.at));
    }
    answered(0, total, endMs);
    return times;
  };
  let times: Float64Array | undefined;
  return (index) => {
    times ??= replay();
    return times[index] ?? 0;
  };
}

const LOST = sentence`The server ended while the request was under way.`;

const DAMAGED = sentence`A line of its journal can’t be read, so it may have been sent.`;

const CUT_OFF = sentence`The server that carried it out ran before the last start of its machine, or on another one, so its journal may lack lines: it may have been sent.`;

/**
 * Most requests that may be sent again are announced without a flush. If the machine is not known to have outlived the process that sent them, as
 * `later` tells, any may have been sent.
 */
function markUnflushed(bulk: BulkState | undefined, owner: ProcessInfo, later: ProcessInfo): void {
  if (bulk === undefined || !bulk.does.isRepeatable || isOfSameBoot(owner, later)) return;
  for (const { from, to } of bulk.ranges(isNotSent)) bulk.mark(from, to, 'unknown', CUT_OFF);
}

/**
 * Once a bulk change has stopped, requests without an answer are unknown, and so is the rest if a line was lost: of what must not be repeated also what
 * is told as not sent, since the lost line may be of a later run that sent it.
 */
function settleBulk(bulk: BulkState | undefined, lost: boolean): void {
  if (bulk === undefined) return;
  const { howToSee, isRepeatable } = bulk.does;
  for (const { from, to } of bulk.ranges((outcome) => outcome === 'sending' || outcome === 'retrying'))
    bulk.mark(from, to, 'unknown', sentence`${LOST}${howToSee}`);
  for (const { from, to } of bulk.ranges((outcome) => outcome === 'none' || (lost && !isRepeatable && outcome === 'not_done')))
    lost ? bulk.mark(from, to, 'unknown', sentence`${DAMAGED}${howToSee}`) : bulk.mark(from, to, 'not_done');
}

type ItemStateOnly = Omit<ItemState, keyof PlannedItem>;

function stateOf(event: ItemEvent | undefined, status: ChangeRecord['status'], lost: boolean): ItemStateOnly {
  if (event === undefined && lost && status !== 'running') return { outcome: 'unknown', reason: DAMAGED };
  if (event === undefined) return { outcome: status === 'running' ? 'pending' : 'not_done' };
  if (event.type === 'sending')
    return { ...(status === 'running' ? { outcome: 'pending' } : { outcome: 'unknown', reason: LOST }), at: event.at };
  const { type: _, epoch: _epoch, id: _id, seen, ...state } = event;
  return { ...state, ...definedFields({ seenAfter: seen }) };
}
