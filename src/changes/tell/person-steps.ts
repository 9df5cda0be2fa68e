import type { ErrorCode } from '../../errors.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { bulkCounts } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindOf } from '../kinds/index.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { failedAgain, failedAgainText } from './next-steps.ts';

// What a person can do about what failed.

interface Row {
  /** `which`: the records, with their verb in mind: “1 channel”. */
  readonly step: (which: Sentence) => Sentence;
  /** The same request would be refused again, whenever it is sent. */
  readonly isFinal?: true;
}

/** By what the service answered. */
const REFUSALS: Partial<Readonly<Record<ErrorCode, Row>>> = {
  service_validation: {
    step: (which) =>
      sentence`The same would be refused again, so there is nothing to try again: go by what the service said, and ask your assistant for ${which} in another way.`,
    isFinal: true,
  },
  forbidden: {
    step: (which) =>
      sentence`This server’s key may not change ${which}. Once an admin of the account has given it the right to, or this server has another key, try again: before, it would be refused once more.`,
  },
  service_not_found: {
    step: (which) =>
      sentence`See in the dashboard whether ${which} can still be found. If not, there is nothing to be tried again; ask your assistant for what else you want.`,
    isFinal: true,
  },
};

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
    const count = items.filter((item) => rowOf(item) === row).length;
    return row.step(record.items.length === 1 ? sentence`it` : counted(count, sentence`${what}`));
  });
  return [...told, ...steps];
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
