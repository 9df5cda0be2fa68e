import type { ComponentChildren } from 'preact';
import type { PausedView } from '../../contract.ts';
import { Callout } from './basics.tsx';
import { Moment } from './typeset.tsx';
import { number } from './words.ts';

const answerOf = ({ status = 0 }: PausedView): string =>
  status < 400 ? 'The service gives no answer that can be read' : `The service answers ${status}`;

/** What keeps a running change from going on, and when that is tried again. */
export function Paused({ of, children }: { readonly of: PausedView; readonly children: ComponentChildren }) {
  const { since, until, waiting } = of;
  const isDue = Date.parse(until) <= Date.now();
  return (
    <Callout tone="caution" title="It can’t go on right now, and is tried again by itself.">
      <p>
        {answerOf(of)} since <Moment at={since} />; {number(waiting)} {waiting === 1 ? 'waits' : 'wait'};{' '}
        {isDue ? (
          'tried again now'
        ) : (
          <>
            next try at <Moment at={until} />
          </>
        )}
        .
      </p>
      {children}
    </Callout>
  );
}

/** The same in a row of a list. */
export const PausedMark = ({ of: { until } }: { readonly of: PausedView }) => (
  <span class="mark tone-caution">
    tried again at <Moment at={until} />
  </span>
);
