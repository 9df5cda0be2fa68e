import type { ErrorCode } from '../../errors/codes.ts';
import { counted } from '../../text/counted.ts';
import { inQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import { bulkCounts } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindOf } from '../kinds/index.ts';
import { listed } from '../plan/notice.ts';
import { changedIn } from '../plan/records.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { failedAgain, failedAgainText } from './next-steps.ts';

// What a person can do about what failed.

interface Row {
  /** `which`: the records, with their verb in mind: “1 channel”. */
  readonly step: (which: Sentence, items: readonly ItemState[]) => Sentence;
  /** The same request would be refused again, whenever it is sent. */
  readonly isFinal?: true;
}

/** By what the service answered. */
const REFUSALS: Partial<Readonly<Record<ErrorCode, Row>>> = {
  service_validation: {
    step: (which, items) =>
      sentence`The same would be refused again, so there is nothing to try again: go by what the service said, and ask your assistant for ${otherWay(which, items)}.`,
    isFinal: true,
  },
  forbidden: {
    step: (which) =>
      sentence`This server’s key may not change ${which}. Once an admin of the account has given it the right to, or this server has another key, try again: before, it would be refused once more.`,
  },
  service_not_found: {
    step: (which) =>
      sentence`See in the dashboard whether ${which} can still be found. If it can, whoever set up this server can give its key access; then ask for this again. If not, there is nothing to be tried again.`,
    isFinal: true,
  },
};

/** Of what was to be renamed and nothing else, another name. */
function otherWay(which: Sentence, items: readonly ItemState[]): Sentence {
  const isRename = items.every((item) => item.seen !== null && changedIn(item).every((field) => field === 'name'));
  const names = items.flatMap(({ after }) => (isRename && after.name !== undefined ? [inQuotes(after.name)] : []));
  return names.length === 0 ? sentence`${which} in another way` : sentence`another name than ${listed(names, MAX_NAMES)}`;
}

const MAX_NAMES = 3;

const failedIn = ({ items }: Pick<ChangeRecord, 'items'>): readonly ItemState[] => items.filter(({ outcome }) => outcome === 'failed');

const rowOf = ({ failedWith }: ItemState): Row | undefined => (failedWith === undefined ? undefined : REFUSALS[failedWith]);

/** Whether something of a change failed that may be done when it is sent again. */
export function canBeRetried(record: ChangeRecord): boolean {
  const { intent, status, bulk } = record;
  if (status === 'running' || kindOf(intent.kind).retry !== 'possible') return false;
  const again = failedAgain(record);
  if (bulk !== undefined) return bulk.count('failed') > again;
  return failedIn(record).filter((item) => rowOf(item)?.isFinal !== true && item.failedAgain !== true).length > 0;
}

/** What can be done about what failed, in sentences; nothing where the reasons say it themselves. */
export function stepsAfterFailure(record: ChangeRecord): readonly Sentence[] {
  const { intent, status, bulk } = record;
  if (status === 'running') return [];
  const again = failedAgain(record);
  const told = again === 0 ? [] : [failedAgainText(record, again, 'person')];
  if (bulk !== undefined) return [...told, ...afterBulk(record, bulkCounts(bulk).failed - again)];
  const items = failedIn(record).filter(({ failedAgain: isAgain }) => isAgain !== true);
  const rows = [...new Set(items.flatMap((item) => rowOf(item) ?? []))];
  const { record: what } = TRAITS[intent.kind];
  const steps = rows.map((row) => {
    const ofRow = items.filter((item) => rowOf(item) === row);
    return row.step(record.items.length === 1 ? sentence`it` : counted(ofRow.length, sentence`${what}`), ofRow);
  });
  return [...told, ...steps];
}

/** What can be done about channels that an undo left alone, since others changed them. */
export function stepsAfterUndo(labels: readonly Sentence[]): readonly Sentence[] {
  if (labels.length === 0) return [];
  return [
    sentence`To have ${listed(labels, MAX_NAMES)} as before all the same, ask your assistant for a new change of ${labels.length === 1 ? 'it' : 'them'}, which replaces what somebody else wrote: you are shown it first.`,
  ];
}

/** Which videos the service refuses it tells of none, and mostly not why. */
function afterBulk({ intent, ended }: ChangeRecord, failed: number): readonly Sentence[] {
  if (failed <= 0 || ended?.advice !== undefined) return [];
  const one = failed === 1 ? 'it' : 'one of them';
  return kindOf(intent.kind).retry === 'possible'
    ? [
        sentence`Open ${one} in the dashboard to see what is wrong, then try again; or ask your assistant to leave ${failed === 1 ? 'it' : 'them'} out.`,
      ]
    : [sentence`Open ${one} in the dashboard to see what is wrong, then ask your assistant for a new copy of those alone.`];
}
