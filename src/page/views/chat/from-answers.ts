import { kindsWith } from '../../../changes/kinds.ts';
import type {
  BulkView,
  ChangeList,
  ChangeStatus,
  ChangeSummary,
  ChangeView,
  ChannelList,
  ChannelView,
  RecordView,
  ReportView,
} from '../../contract.ts';
import { type Fields, fieldsIn } from './fields.ts';

// The views' data from the answers of reading tools. What an answer lacks is not shown.

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): readonly string[] => list(value).map(String);
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
/** As the tools say it: their statuses are those of the views. */
const statusOf = ({ status }: Fields): ChangeStatus => text(status) as ChangeStatus;

export function changesFromAnswer({ changes }: Fields): ChangeList {
  return { changes: list(changes).map(fieldsIn).map(summaryOf), page: 1, pages: 1 };
}

function summaryOf(change: Fields): ChangeSummary {
  const { changeId, summary, at, undoneBy } = change;
  return {
    ...{ changeId: text(changeId), status: statusOf(change), summary: text(summary), at: text(at) },
    ...(undoneBy === undefined ? {} : { undoneBy: text(undoneBy) }),
  };
}

export function changeFromAnswer(change: Fields): ChangeView {
  const { message, confirmed, warnings, undo, note, total, userNote, omitted } = change;
  const [, summary = '', rest = ''] = SENTENCES.exec(text(message)) ?? [];
  const isWaiting = statusOf(change) === 'waiting';
  const { possible, how } = fieldsIn(undo);
  return {
    ...summaryOf({ ...change, summary }),
    changesAccount: !LOCAL.includes(text(change.kind)),
    actionLabel: '',
    warnings: texts(warnings),
    lines: isWaiting ? ['It waits on the approval page in your browser; this chat can’t show its plan.'] : [],
    onFailure: '',
    undo: { possible: possible === 'yes' || possible === 'partly' ? possible : 'no', how: text(how) },
    records: total === undefined ? recordsOf(change) : [],
    ...(total === undefined ? {} : { bulk: bulkOf(change) }),
    titles: {},
    ...(confirmed === undefined ? {} : { confirmed: text(confirmed) }),
    notes: [isWaiting ? '' : rest, text(note), text(userNote), omitted === undefined ? '' : CUT].filter((sentence) => sentence !== ''),
    canStop: false,
    canUndo: false,
  };
}

const CUT = 'Some of it does not fit into a tool’s answer: the approval page shows all.';

/** The kinds of changes that only record or hand over something. */
const LOCAL: readonly string[] = kindsWith(({ isLocal }) => isLocal);

/** The first sentence, and the others; what comes before is for the assistant. */
const SENTENCES = /^(?:NOT DONE YET\. )?(.*?[.!?])(?:\s+(.*))?$/s;

function bulkOf({ total, moved, copied, failed, failedCount, unknown, unknownCount, notSentCount }: Fields): BulkView {
  const reasons = (of: unknown) =>
    list(of)
      .map(fieldsIn)
      .map(({ id, reason }) => ({ id: text(id), reason: text(reason) }));
  return {
    ...{ total: count(total), done: count(moved ?? copied), notSent: count(notSentCount), facts: [], ids: [] },
    ...{ failedCount: count(failedCount), unknownCount: count(unknownCount), failed: reasons(failed), unknown: reasons(unknown) },
  };
}

const OUTCOMES = { failed: 'failed', unknown: 'unknown', notDone: 'not_done' } as const;

function recordsOf(change: Fields): readonly RecordView[] {
  const before = new Map(
    list(change.before)
      .map(fieldsIn)
      .map((side) => [text(side.id), side]),
  );
  const outcomes = Object.entries(OUTCOMES).flatMap(([name, outcome]) =>
    list(change[name])
      .map(fieldsIn)
      .map(({ id, label, reason }) => ({ id: text(id), label: text(label), reason: text(reason), outcome })),
  );
  const changed = list(change.after)
    .map(fieldsIn)
    .map((after) => recordOf(after, before.get(text(after.id))));
  const seen = new Map(changed.map((record) => [record.id, record]));
  for (const { id, label, reason, outcome } of outcomes)
    seen.set(id, { fields: [], lists: [], ...seen.get(id), id, label: label || id, outcome, reason });
  return [...seen.values()];
}

const LISTS = { videoKeys: 'video', projectKeys: 'project' } as const;

function recordOf(after: Fields, before: Fields | undefined): RecordView {
  const isList = (name: string): name is keyof typeof LISTS => Object.hasOwn(LISTS, name);
  const names = Object.keys(after).filter((name) => name !== 'id' && name !== 'key');
  return {
    id: text(after.id),
    label: text(before?.name ?? after.name) || text(after.id),
    fields: names
      .filter((name) => !isList(name) || !Array.isArray(after[name]))
      .map((name) => ({
        name,
        ...(before?.[name] === undefined ? {} : { before: valueText(before[name]) }),
        after: valueText(after[name]),
      })),
    lists: names.filter(isList).flatMap((name) => {
      const [was, now] = [before?.[name], after[name]];
      return Array.isArray(now) ? [{ what: LISTS[name], before: Array.isArray(was) ? was.map(String) : null, after: now.map(String) }] : [];
    }),
    outcome: 'done',
  };
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${valueText(inner)}`)
    .join(', ');
}

export function channelsFromAnswer({ channels, pager }: Fields): ChannelList {
  const { page, totalPages } = fieldsIn(pager);
  const found = list(channels).map(fieldsIn);
  return {
    channels: found.map(({ id, name, contentsKnown }) => ({
      id: text(id),
      name: text(name),
      contents: '',
      isKnown: contentsKnown === true,
    })),
    page: count(page) || 1,
    pages: count(totalPages) || 1,
  };
}

/** How many videos of a channel an answer leaves out because it would be too long. */
export function leftOut({ contents }: Fields): number {
  const { videoCount, videoKeys } = fieldsIn(contents);
  return Math.max(0, count(videoCount) - list(videoKeys).length);
}

export function channelFromAnswer(answer: Fields): ChannelView {
  const { id, key, name } = fieldsIn(answer.channel);
  const { source, videoKeys, projectKeys, titles } = fieldsIn(answer.contents);
  const left = leftOut(answer);
  const cut = left > 0 ? `. The first ${texts(videoKeys).length} are shown; ${left} more do not fit into a tool’s answer` : '';
  return {
    ...{ id: text(id), name: text(name), contents: `${text(source)}${cut}` },
    ...(key === undefined ? {} : { key: text(key) }),
    ...(videoKeys === undefined ? {} : { videoKeys: texts(videoKeys) }),
    ...(projectKeys === undefined ? {} : { projectKeys: texts(projectKeys) }),
    // As the tool has them.
    titles: fieldsIn(titles) as ChannelView['titles'],
    ...{ seen: [], unknown: [], hasCatalogue: titles !== undefined, canState: false },
  };
}

/** A report of which only its chart and what that shows in words can be had. */
export function reportFromText(reportId: string, words: string): ReportView {
  // The last line tells the assistant where the picture is kept.
  const [title = 'Report', ...notes] = words.split('\n').slice(0, -1);
  return { reportId, title, at: '', columns: [], rows: [], page: 1, pages: 1, total: 0, hasChart: true, notes };
}
