import { invalidArguments, throwProblems } from '../../../errors/field-problems.ts';
import { VideoHostingError } from '../../../errors.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../../text/sentence.ts';
import { newestFirst } from '../../journal/change-order.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import { noSuchChange } from '../../journal/journal.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import { partWishes } from '../../plan/part-words.ts';
import type { ChangePlanner, PlanReading } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import { earlierText } from '../../plan/preview.ts';
import { withStopped } from '../../plan/stopped-by.ts';
import type { UndoChoice, UndoRequest, UndoWay } from '../kind.ts';
import { assertUndoable } from './undoable.ts';

type Records = Parameters<UndoWay['plan']>[0];

/** What the arguments name that choose what is undone. */
const CHOICES: Readonly<Record<UndoChoice, Sentence>> = {
  only: sentence`parts of a channel`,
  channels: sentence`channels`,
  videoIds: sentence`videos`,
  videoIdsFile: sentence`videos`,
};
const CHOICE_NAMES = Object.keys(CHOICES) as readonly UndoChoice[]; // its keys

/** Plans to set back what changes did, each kind in its way. */
export function planUndo(request: UndoRequest, deps: FileDeps): ChangePlanner {
  return async (read) => {
    const chosen = withoutEmpty(request);
    const { records, way } = await recordsOf(chosen, deps);
    if (deps.endRunning !== undefined && records.some(isRunning)) {
      await way.assertNamed(records, chosen, deps, read);
      await read.assertCanBegin?.();
    }
    const ended = await Promise.allSettled(records.map((record) => endedRecord(record, deps, read)));
    const known = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const notices = known.flatMap(stoppedBefore);
    const running = new Set(records.filter(isRunning).map(({ intent }) => intent.changeId));
    try {
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
      const [first, ...others] = known;
      if (first === undefined) return noChange();
      for (const record of known) if (running.has(record.intent.changeId)) assertUndoable(record);
      const plan = await way.plan([first, ...others], chosen, deps, read);
      const meaning = undoneText(known, chosen.only);
      return { ...plan, preview: { ...plan.preview, meaning, notices: [...plan.preview.notices, ...notices] } };
    } catch (error) {
      const stopped = notices.map(({ by }) => by).filter((id) => running.has(id));
      throw withStopped(error, stopped);
    }
  };
}

/** Of more changes, the newest are told. */
const MAX_TOLD = 3;

function undoneText(undone: readonly ChangeRecord[], only: UndoRequest['only']): Sentence {
  const told = undone.slice(0, MAX_TOLD).map(({ intent }) => earlierText(intent));
  const more = undone.length > MAX_TOLD ? sentence`; and ${undone.length - MAX_TOLD} before` : '';
  const part = only === undefined ? '' : sentence` Of it, only the ${joined(only, ' and ')}: ${stayingText(undone, only)}.`;
  return sentence`What is undone: ${joined(told, '; ')}${more}.${part}`;
}

/** What of it is left as it is; of more records, not which. */
function stayingText(undone: readonly ChangeRecord[], only: NonNullable<UndoRequest['only']>): Sentence {
  const [item, ...others] = undone.flatMap(({ items }) => items.filter(({ outcome }) => outcome === 'done'));
  const parts = item === undefined || others.length > 0 ? [] : partWishes(item, (field) => !only.some((one) => one === field));
  return parts.length === 0 ? sentence`the rest stays done` : sentence`the rest stays done (${joined(parts, ', ')})`;
}

const isRunning = ({ status }: ChangeRecord): boolean => status === 'running';

const LISTS = ['only', 'channels', 'videoIds'] as const;

/** A client that fills in what it does not use gives all of these lists without entries. One alone chooses nothing, which is never all. */
function withoutEmpty(request: UndoRequest): UndoRequest {
  const empty = LISTS.filter((field) => request[field]?.length === 0);
  if (empty.length === LISTS.length) return { ...request, only: undefined, channels: undefined, videoIds: undefined };
  throwProblems(
    empty.map((field) => ({
      field: sentence`${field}`,
      problem: sentence`names nothing, so nothing would be undone: leave it out to undo all of the change.`,
    })),
  );
  return request;
}

/** A change once it is over: one that is running is stopped. Throws where it does not end in time. */
async function endedRecord(record: ChangeRecord, { journal, endRunning }: FileDeps, read: PlanReading): Promise<ChangeRecord> {
  if (!isRunning(record) || endRunning === undefined) return record;
  const { changeId } = record.intent;
  await endRunning(changeId, read);
  const ended = await journal.read(changeId);
  if (ended === undefined) throw noSuchChange(changeId, { outcome: 'nothing-sent' });
  if (!isRunning(ended)) return ended;
  throw new VideoHostingError('not_undoable', sentence`${word(changeId)} was asked to stop, and ends after its requests in flight.`, {
    hint: AGAIN_SOON,
  });
}

/** What a change that was stopped left unsent, which its undo leaves so for good. */
function stoppedBefore({ intent, status, items, bulk }: ChangeRecord): readonly NoticeOf<'stopped_before'>[] {
  const count = bulk?.count('not_done') ?? items.filter(({ outcome }) => outcome === 'not_done').length;
  if (status !== 'stopped' || count === 0) return [];
  return [{ kind: 'stopped_before', by: intent.changeId, count, what: bulk === undefined ? 'channel' : 'video' }];
}

const AGAIN_SOON = 'Make the same call again in some seconds: it is undone then.';

const noChange = (): never => {
  throw invalidArguments([{ field: sentence`changeId`, problem: sentence`or changeIds must be given.` }]);
};

/** The changes to undo, newest first. Throws what keeps one of them from being undone. */
async function recordsOf(
  request: UndoRequest,
  { journal, endRunning }: FileDeps,
): Promise<{ readonly records: Records; readonly way: UndoWay }> {
  const { changeId, changeIds = [] } = request;
  const ids = [...new Set(changeId === undefined ? changeIds : [changeId, ...changeIds])];
  const found: { readonly record: ChangeRecord; readonly way: UndoWay }[] = [];
  for (const id of ids) {
    const record = await journal.read(id);
    if (record === undefined) throw noSuchChange(id, { outcome: 'nothing-sent' });
    found.push({ record, way: assertUndoable(record, endRunning !== undefined) });
  }
  const [first, ...others] = found.toSorted((one, other) => newestFirst(one.record, other.record));
  if (first === undefined) return noChange();
  const alone = others.length === 0 ? undefined : found.find(({ way }) => !way.takesSeveral || way !== first.way);
  if (alone !== undefined)
    throw invalidArguments([
      {
        field: sentence`changeIds`,
        problem: sentence`${word(alone.record.intent.changeId)} ${alone.way.did}, which is undone by itself: name it alone.`,
      },
    ]);
  const { way } = first;
  const named = wordList(ids);
  throwProblems(
    CHOICE_NAMES.filter((field) => request[field] !== undefined && !way.chosenBy.includes(field)).map((field) => ({
      field: sentence`${field}`,
      problem: sentence`names ${CHOICES[field]}, and ${named} ${way.did}: leave it out.`,
    })),
  );
  return { records: [first.record, ...others.map(({ record }) => record)], way };
}
