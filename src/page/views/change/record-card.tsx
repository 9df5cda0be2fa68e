import type { ChangedRecord, ChangeStatus, ChangeView } from '../../contract.ts';
import { isOver } from '../parts/statuses.ts';
import type { Titles } from '../parts/titles.ts';
import { Name, Typeset } from '../parts/typeset.tsx';
import { ListDiffView } from './list-diff.tsx';
import { partWords } from './list-words.ts';
import { isReasonTold } from './reasons.ts';
import { shownName } from './undo-words.ts';

const OUTCOMES = {
  done: ['good', '✓ done'],
  failed: ['loss', '✕ failed'],
  unknown: ['caution', '? not known'],
  not_done: ['plain', '– not sent'],
  pending: ['act', '… not yet'],
} as const;
const LEFT_ALONE = ['plain', '– left alone'] as const;
/** It could not be done, which nobody wanted. */
const NOT_DONE = ['loss', '✕ not done'] as const;

const UNDONE = ['plain', '↶ undone'] as const;
const PROBABLY_NOT = ['caution', '? probably not done'] as const;
const CHANGED = ['caution', 'changed since, stays as it is'] as const;

type Mark = readonly [tone: string, words: string];

function marksOf({ outcome, isLeftAlone, isAsBefore, reason, since }: ChangedRecord, status: ChangeStatus): readonly Mark[] {
  if (since === 'undone') return [UNDONE];
  if (isLeftAlone === true) return [LEFT_ALONE];
  if (isAsBefore === true) return [PROBABLY_NOT];
  if (outcome === 'not_done' && reason !== undefined && status !== 'stopped') return [NOT_DONE];
  return [...(outcome === undefined ? [] : [OUTCOMES[outcome]]), ...(since === 'changed' ? [CHANGED] : [])];
}

interface Props {
  readonly record: ChangedRecord;
  readonly titles: Titles;
  readonly change: ChangeView;
}

/** One record that changes: its fields and lists, before beside after, and what became of it. */
export function RecordCard({ record, titles, change }: Props) {
  const { status } = change;
  // What it was is still what it is; where nothing was left to be done, it is not.
  const before = status === 'waiting' ? 'Now' : status === 'needless' ? 'When asked' : 'Before';
  const { name, fields, lists, reason } = record;
  // What was not done is not how it is after it.
  const isDone = record.outcome === 'done';
  const isOnlyAsked = isOver(status) && !isDone;
  const after = isOnlyAsked ? 'Asked for' : record.since === 'changed' ? 'After this change' : 'After';
  const marks = marksOf(record, status);
  const isNew = fields.every((field) => field.before === undefined);
  return (
    <article class="panel">
      <h3>
        <Name of={shownName(record)} />
        {shownName(record) !== name && (
          <span class="amount quiet">
            was <Name of={name} />
          </span>
        )}
        {marks.map(([tone, words]) => (
          <span key={words} class={`status tone-${tone}`}>
            {words}
          </span>
        ))}
      </h3>
      {reason !== undefined && !isReasonTold(change, record) && (
        <p class={marks[0]?.[0] === 'plain' ? 'quiet small' : 'row-reason'}>
          <Typeset text={reason} hasLinks />
        </p>
      )}
      {fields.length > 0 && (
        <table class="fields">
          <thead class={isNew && !isOnlyAsked ? 'unseen' : ''}>
            <tr>
              <th scope="col">
                <span class="unseen">Field</span>
              </th>
              {!isNew && <th scope="col">{before}</th>}
              <th scope="col">{after}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name: field, before: old, after: wanted }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {!isNew && (
                  <td data-label={before}>
                    <Value of={old} />
                  </td>
                )}
                <td class={isOnlyAsked ? undefined : 'field-after'} data-label={isNew && !isOnlyAsked ? undefined : after}>
                  <Value of={wanted} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lists.map((list) => (
        <ListDiffView
          key={list.what}
          {...{ titles, before, after: isOnlyAsked ? ('Asked for' as const) : ('After' as const), isDone }}
          change={list}
          of={name}
          words={partWords(change, record.outcome)}
        />
      ))}
    </article>
  );
}

function Value({ of }: { readonly of: string | undefined }) {
  return of === undefined || of === '' ? <span class="quiet">{of === '' ? 'empty' : 'not known'}</span> : <bdi>{of}</bdi>;
}
