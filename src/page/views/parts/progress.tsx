import { useEffect, useState } from 'preact/hooks';
import type { ProgressView } from '../../contract.ts';
import { countInWords, number } from './words.ts';

const TICK_MS = 1_000;
/** Before, a rate says nothing. */
const MIN_MS = 3_000;

interface Props {
  readonly progress: ProgressView | undefined;
  /** It is stopping, or paused: no rate tells when it ends. */
  readonly isHeld?: boolean;
}

/** How far a change is, how fast it goes and how long it still takes. */
export function ProgressBar({ progress = { done: 0, total: 0 }, isHeld = false }: Props) {
  const { done, total } = progress;
  // Without a value, it shows that something goes on.
  const known = total === 0 ? {} : { value: done, max: total };
  const pace = usePace(progress);
  return (
    <span class="stack progress">
      <progress class={isHeld ? 'held' : undefined} aria-label="Progress" {...known} />
      {total > 0 && (
        <span class="cluster">
          <span>
            <strong>{number(knownDone(progress))}</strong> of {number(total)}
            {unlikeDone(progress).map((words) => `, ${words}`)}
          </span>
          {pace !== undefined && !isHeld && <span class="quiet">{pace}</span>}
        </span>
      )}
    </span>
  );
}

/** How many are done for certain, of what was answered or given up. */
export const knownDone = ({ done, ofMany: { failed, unknown } = { sent: 0, failed: 0, unknown: 0 } }: ProgressView): number =>
  done - failed - unknown;

const unlikeDone = ({ ofMany: { failed, unknown } = { sent: 0, failed: 0, unknown: 0 } }: ProgressView): readonly string[] => [
  ...(unknown > 0 ? [`${number(unknown)} not known`] : []),
  ...(failed > 0 ? [`${number(failed)} failed`] : []),
];

/** `12 a second, about 3 minutes left`. Undefined where too little is done to tell. */
function usePace({ done, total, since, before = 0 }: ProgressView): string | undefined {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const took = since === undefined ? Number.NaN : now - Date.parse(since);
  const sent = done - before;
  if (!(took >= MIN_MS) || sent <= 0 || done >= total) return undefined;
  return `${rateInWords(sent / took)}, ${leftInWords((took / sent) * (total - done))}`;
}

function rateInWords(perMs: number): string {
  const perSecond = perMs * 1_000;
  return perSecond >= 1 ? `${number(Math.round(perSecond))} a second` : `${number(Math.max(1, Math.round(perSecond * 60)))} a minute`;
}

function leftInWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 10_000) return 'a few seconds left';
  if (ms < 90_000) return `about ${number(Math.ceil(ms / 10_000) * 10)} seconds left`;
  return minutes < 120 ? `about ${countInWords(minutes, 'minute')} left` : `about ${countInWords(Math.round(minutes / 60), 'hour')} left`;
}
