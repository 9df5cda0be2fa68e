import type { RecordView } from '../../contract.ts';
import { Name } from '../parts/basics.tsx';
import type { Titles } from '../parts/titles.ts';
import { ListDiffView } from './list-diff.tsx';

const OUTCOMES = {
  done: ['good', '✓ done'],
  failed: ['loss', '✕ failed'],
  unknown: ['caution', '? not known'],
  not_done: ['plain', '– not sent'],
  pending: ['running', '… not yet'],
} as const;

/** One record that changes: its fields and lists, before beside after, and what became of it. */
export function RecordCard({ record, titles }: { readonly record: RecordView; readonly titles: Titles }) {
  const { label, fields, lists, outcome, reason } = record;
  const isNew = fields.every(({ before }) => before === undefined);
  return (
    <article class="panel record">
      <h3>
        <Name>{label}</Name>
        {outcome !== undefined && <span class={`status status-${OUTCOMES[outcome][0]}`}>{OUTCOMES[outcome][1]}</span>}
      </h3>
      {reason !== undefined && (
        <p class="row-reason">
          <Name>{reason}</Name>
        </p>
      )}
      {fields.length > 0 && (
        <table class="fields">
          <thead class={isNew ? 'unseen' : ''}>
            <tr>
              <th scope="col">
                <span class="unseen">Field</span>
              </th>
              {!isNew && <th scope="col">Now</th>}
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {!isNew && (
                  <td class="field-before">
                    <span class="field-label" aria-hidden="true">
                      Now
                    </span>
                    <Value of={before} />
                  </td>
                )}
                <td class="field-after">
                  {!isNew && (
                    <span class="field-label" aria-hidden="true">
                      After
                    </span>
                  )}
                  <Value of={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lists.map((change) => (
        <ListDiffView key={change.what} change={change} titles={titles} of={label} />
      ))}
    </article>
  );
}

function Value({ of }: { readonly of: string | undefined }) {
  return of === undefined || of === '' ? <span class="quiet">{of === '' ? 'empty' : 'not known'}</span> : <bdi>{of}</bdi>;
}
