import type { ComponentChildren } from 'preact';
import type { PausedView, ProgressView } from '../../contract.ts';
import { Callout } from './basics.tsx';
import { Moment } from './typeset.tsx';
import { number } from './words.ts';

const answerOf = ({ status = 0 }: PausedView): string =>
  status < 400 ? 'The service gives no answer that can be read' : `The service answers ${status}`;

interface Props {
  readonly of: PausedView;
  readonly progress: ProgressView | undefined;
  readonly children: ComponentChildren;
}

const SOON_MS = 60_000;

function waitingText(left: number, done: number): string {
  if (left <= 0) return '';
  return ` ${done > 0 ? `${number(done)} ${done === 1 ? 'is' : 'are'} done, the other ${number(left)}` : number(left)} ${left === 1 ? 'waits' : 'wait'}.`;
}

/** What keeps a running change from going on, and when that is tried again. */
export function Paused({ of, progress, children }: Props) {
  const { since, until } = of;
  const { done, total } = progress ?? { done: 0, total: 0 };
  const leftMs = Date.parse(until) - Date.now();
  return (
    <Callout tone="caution" title="It can’t go on right now, and is tried again by itself.">
      <p>
        {answerOf(of)} since <Moment at={since} />.{waitingText(total - done, done)} Next try{' '}
        {leftMs <= 0 ? (
          'now'
        ) : leftMs < SOON_MS ? (
          'in less than a minute'
        ) : (
          <>
            at <Moment at={until} />
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
