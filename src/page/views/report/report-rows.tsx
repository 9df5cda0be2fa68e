import type { ReportView } from '../../contract.ts';
import { dayInWords, figure, number } from '../parts/words.ts';

/** The rows of one page. It scrolls sideways by itself where the window is narrow. */
export function ReportRows({ report: { columns, rows, title, page } }: { readonly report: ReportView }) {
  const isNumeric = columns.map((_, index) => rows.every((row) => typeof row[index] === 'number' || row[index] === null));
  if (rows.length === 0) return <p>Nothing was found for what was asked. Ask your assistant for another time, or for less of a filter.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    <section class="table-scroller" tabIndex={0} aria-label={`${title}, rows of page ${page}, scrolls`}>
      <table class="data">
        <thead>
          <tr>
            {columns.map(({ name }, index) => (
              <th key={name} scope="col" class={isNumeric[index] ? 'numeric' : undefined}>
                {name.replaceAll('_', ' ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column, index) => (
                <td key={column.name} class={isNumeric[index] ? 'numeric' : undefined}>
                  <Cell value={row[index]} isPercent={column.isPercent} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function Cell({ value, isPercent }: { readonly value: unknown; readonly isPercent: boolean }) {
  if (value === null || value === undefined) return <span class="quiet">–</span>;
  if (typeof value === 'number') return <>{isPercent ? number(value, { style: 'percent', maximumFractionDigits: 1 }) : figure(value)}</>;
  const text = String(value);
  if (DAY.test(text)) return <time dateTime={text}>{dayInWords(text)}</time>;
  return <bdi>{text}</bdi>;
}
