import { hostname } from 'node:os';
import { type Intent, type JournalItem, type Line, LineSchema } from './journal-lines.ts';
import type { Fields, Outcome, Seen } from './plan.ts';

export type ItemState = JournalItem & {
  /** `unknown`: its request was about to be sent and nothing tells what became of it. `pending`: of a running change. */
  readonly outcome: Outcome | 'pending';
  readonly reason?: string;
  readonly seenAfter?: Seen | null;
  readonly result?: Fields;
  readonly at?: string;
};

/** One change as its file tells it. */
export interface ChangeRecord {
  readonly intent: Intent;
  readonly items: readonly ItemState[];
  readonly status: 'applied' | 'partly_applied' | 'stopped' | 'failed' | 'running' | 'interrupted';
  readonly ended?: { readonly at: string; readonly message?: string };
  /** Lines that could not be read; a torn last line, after a kill, is one. */
  readonly damagedLines: number;
}

/** Without a sign of life for this long, a change of another machine counts as interrupted. */
const SILENT_MS = 30_000;

/** Reads a change's file. Undefined when not even the intent is there: then nothing was sent. */
export function foldLines(text: string, touchedMs: number): ChangeRecord | undefined {
  let damagedLines = 0;
  let intent: Intent | undefined;
  let end: Extract<Line, { type: 'end' }> | undefined;
  const events = new Map<string, Exclude<Line, { type: 'intent' | 'end' }>>();
  for (const text_ of text.split('\n')) {
    if (text_ === '') continue;
    const line = parseLine(text_);
    if (line === undefined) damagedLines += 1;
    else if (line.type === 'intent') intent ??= line;
    else if (line.type === 'end') end = line;
    else events.set(line.id, line);
  }
  if (intent === undefined) return undefined;
  const status = end?.status ?? (isAlive(intent, touchedMs) ? 'running' : 'interrupted');
  return {
    intent,
    items: intent.items.map((item) => ({ ...item, ...stateOf(events.get(item.id), status) })),
    status,
    ...(end === undefined ? {} : { ended: { at: end.at, ...(end.message === undefined ? {} : { message: end.message }) } }),
    damagedLines,
  };
}

function parseLine(text: string): Line | undefined {
  try {
    return LineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type ItemStateOnly = Omit<ItemState, keyof JournalItem>;

function stateOf(event: Exclude<Line, { type: 'intent' | 'end' }> | undefined, status: ChangeRecord['status']): ItemStateOnly {
  if (event === undefined) return { outcome: status === 'running' ? 'pending' : 'not_done' };
  if (event.type === 'sending') {
    if (status === 'running') return { outcome: 'pending' };
    return { outcome: 'unknown', reason: 'The server ended while the request was under way.', at: event.at };
  }
  return {
    outcome: event.outcome,
    at: event.at,
    ...(event.reason === undefined ? {} : { reason: event.reason }),
    ...(event.seen === undefined ? {} : { seenAfter: event.seen }),
    ...(event.result === undefined ? {} : { result: event.result }),
  };
}

function isAlive({ process: owner }: Intent, touchedMs: number): boolean {
  const recent = Date.now() - touchedMs < SILENT_MS;
  return recent && (owner.host !== hostname() || isRunning(owner.pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No permission to signal it means that it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
