import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Notice, NoticeKind } from '../../notices/notices.ts';
import { isRefusedForKey } from '../videos/untried-credential.ts';
import type { LaterChange } from './later-changes.ts';

type IsOpen = (record: ChangeRecord, notice: Notice, later: ReadonlyMap<string, LaterChange>) => boolean;

const has =
  (outcome: 'failed' | 'unknown'): IsOpen =>
  ({ bulk, status }) =>
    status === 'running' || (bulk?.count(outcome) ?? 0) > 0;

/** Of a record: until it is done, or a later change settles it. */
const isUnsettled: IsOpen = ({ items }, notice, later) => {
  const item = items.find(({ label }) => 'label' in notice && label === notice.label);
  return item === undefined || (item.outcome !== 'done' && later.get(item.id)?.how !== 'settles');
};

/** Until when what a person was told of a change still holds, where that ends. */
const OPEN: Partial<Readonly<Record<NoticeKind, IsOpen>>> = {
  move_untried: (record) => (record.bulk?.count('done') ?? 0) === 0 && !isRefusedForKey(record),
  // Once something was copied, that copy is in the history too.
  no_earlier_copy: (record) => (record.bulk?.count('done') ?? 0) + (record.bulk?.count('unknown') ?? 0) === 0,
  failed_before: has('failed'),
  not_known_before: has('unknown'),
  refused_before: isUnsettled,
  not_readable: isUnsettled,
  no_version: isUnsettled,
  perhaps_changed: isUnsettled,
  changed_by_others: isUnsettled,
};

/** What a person must know of a change by what became of it: what its outcome, or a later change, settled is told no more. */
export const openNotices = (record: ChangeRecord, later: ReadonlyMap<string, LaterChange> = new Map()): readonly Notice[] =>
  record.intent.notices.filter((notice) => OPEN[notice.kind]?.(record, notice, later) !== false);
