import type { ComponentChildren } from 'preact';
import type { PausedView, ProgressView } from '../../contract.ts';
import { Callout } from './basics.tsx';
import { knownDone } from './progress.tsx';
import { Moment } from './typeset.tsx';
import { number } from './words.ts';

const BUSY = [429, 503];
const answerOf = ({ status = 0 }: PausedView): string =>
  status < 400
    ? 'No usable answer has come from the service'
    : BUSY.includes(status)
      ? 'The service has been too busy'
      : 'The service has had a problem of its own';

interface Props {
  readonly of: PausedView;
  readonly progress: ProgressView | undefined;
  readonly children: ComponentChildren;
}

const SOON_MS = 60_000;

function waitingText(progress: ProgressView): string {
  const left = progress.total - progress.done;
  if (left <= 0) return '';
  const done = knownDone(progress);
  const { failed, unknown } = progress.ofMany ?? { failed: 0, unknown: 0 };
  const parts = [
    ...(done > 0 ? [`${number(done)} ${done === 1 ? 'is' : 'are'} done`] : []),
    ...(unknown > 0 ? [`of ${number(unknown)} it is not known`] : []),
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    `${progress.done > 0 ? 'the other ' : ''}${number(left)} ${left === 1 ? 'waits' : 'wait'}`,
  ];
  return ` ${parts.join(', ')}.`;
}

/** What keeps a running change from going on, and when that is tried again. */
export function Paused({ of, progress, children }: Props) {
  const { since, until } = of;
  const leftMs = Date.parse(until) - Date.now();
  return (
    <Callout tone="caution" title="It can’t go on right now, and is tried again by itself.">
      <p>
        {answerOf(of)} since <Moment at={since} />.{waitingText(progress ?? { done: 0, total: 0 })} Next try{' '}
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
      {(of.status ?? 0) >= 400 && <p class="quiet small">What the service answers: status {of.status}.</p>}
    </Callout>
  );
}

/** The same in a row of a list. */
export const PausedMark = ({ of }: { readonly of: PausedView }) => (
  <span class="mark weighs tone-caution">
    {answerOf(of)}; tried again at <Moment at={of.until} />
  </span>
);
