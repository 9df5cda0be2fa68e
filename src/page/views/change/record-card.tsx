import type { ChangedRecord } from '../../contract.ts';
import type { Titles } from '../parts/titles.ts';
import { ListDiffView } from './list-diff.tsx';

const OUTCOMES = {
  done: ['good', '✓ done'],
  failed: ['loss', '✕ failed'],
  unknown: ['caution', '? not known'],
  not_done: ['plain', '– not sent'],
  pending: ['act', '… not yet'],
} as const;

interface Props {
  readonly record: ChangedRecord;
  readonly titles: Titles;
  /** What it was is still what it is. */
  readonly isWaiting: boolean;
}

/** One record that changes: its fields and lists, before beside after, and what became of it. */
export function RecordCard({ record, titles, isWaiting }: Props) {
  const before = isWaiting ? 'Now' : 'Before';
  const { name, fields, lists, outcome, reason } = record;
  const isNew = fields.every((field) => field.before === undefined);
  return (
    <article class="panel">
      <h3>
        <bdi>{name}</bdi>
        {outcome !== undefined && <span class={`status tone-${OUTCOMES[outcome][0]}`}>{OUTCOMES[outcome][1]}</span>}
      </h3>
      {reason !== undefined && <bdi class="row-reason">{reason}</bdi>}
      {fields.length > 0 && (
        <table class="fields">
          <thead class={isNew ? 'unseen' : ''}>
            <tr>
              <th scope="col">
                <span class="unseen">Field</span>
              </th>
              {!isNew && <th scope="col">{before}</th>}
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name: field, before: old, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {!isNew && (
                  <td data-label={before}>
                    <Value of={old} />
                  </td>
                )}
                <td class="field-after" data-label={isNew ? undefined : 'After'}>
                  <Value of={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lists.map((change) => (
        <ListDiffView key={change.what} change={change} titles={titles} of={name} before={before} />
      ))}
    </article>
  );
}

function Value({ of }: { readonly of: string | undefined }) {
  return of === undefined || of === '' ? <span class="quiet">{of === '' ? 'empty' : 'not known'}</span> : <bdi>{of}</bdi>;
}
