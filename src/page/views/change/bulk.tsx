import { type ComponentChildren, Fragment } from 'preact';
import type { BulkView, ChangeStatus, OutcomeReason, ProgressView } from '../../contract.ts';
import { useIsLast } from '../data/page-context.tsx';
import { Sentences } from '../parts/basics.tsx';
import { LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { VideoList, VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';
import { reasonsOf } from './reasons.ts';

interface Props {
  readonly bulk: BulkView;
  readonly titles: Titles;
  readonly status: ChangeStatus;
  /** Of one that runs. */
  readonly progress: ProgressView | undefined;
  /** It can’t go on: what was sent is tried again. */
  readonly isPaused: boolean;
  /** What is to be known of it, before its videos, which may be many. */
  readonly children: ComponentChildren;
}

/** So few stand before all that is to be known of them. */
const MAX_SHORT = 8;

/** A move or a copy of many videos: what it is about, what became of it, and which videos. */
export function Bulk({ bulk, titles, status, progress, isPaused, children }: Props) {
  const isWaiting = status === 'waiting';
  const title = bulk.source === undefined ? undefined : titles.get(bulk.source);
  const isShort = isWaiting && bulk.ids.length > 0 && bulk.total <= MAX_SHORT;
  return (
    <>
      {!isWaiting && <Figures bulk={bulk} progress={status === 'running' ? progress : undefined} isPaused={isPaused} />}
      {(bulk.facts.length > 0 || bulk.source !== undefined || isShort) && (
        <section class="panel" aria-labelledby="bulk-facts">
          <h2 id="bulk-facts">{isWaiting ? 'What happens' : 'What it is about'}</h2>
          <Sentences of={bulk.facts} />
          {bulk.source !== undefined && (
            <p>
              Add the calls to action of {title === undefined ? 'a video, title not known,' : <bdi>“{title}”</bdi>}{' '}
              <bdi class="record-id">{bulk.source}</bdi> to {countInWords(bulk.total, 'video')}.
            </p>
          )}
          {isShort && <VideoList keys={bulk.ids} titles={titles} label="Videos" />}
        </section>
      )}
      {children}
      <Reasons title="Failed" kind="leaves" count={bulk.failedCount} of={bulk.failed} titles={titles} />
      <Reasons
        title="Not known"
        kind="unknown"
        count={bulk.unknownCount}
        of={bulk.unknown}
        requests={bulk.unknownRequests}
        titles={titles}
      />
      {bulk.ids.length > 0 && !isShort && !isListedAbove(bulk) && (
        <section class="panel" aria-labelledby="bulk-videos">
          <h2 id="bulk-videos">{countInWords(bulk.total, 'video')}</h2>
          {bulk.ids.length < bulk.total && (
            <p class="quiet">
              The first {number(bulk.ids.length)} of {number(bulk.total)}.
            </p>
          )}
          <VideoList keys={bulk.ids} titles={titles} label="Videos" />
        </section>
      )}
    </>
  );
}

/** Whether each video stands in one of the lists of reasons. */
const isListedAbove = ({ failed, unknown, total }: BulkView): boolean => failed.length + unknown.length === total;

function Figures({ bulk, progress, isPaused }: Pick<Props, 'bulk' | 'progress' | 'isPaused'>) {
  const isLast = useIsLast();
  const figures =
    progress !== undefined
      ? runningFigures(progress, isPaused, isLast)
      : ([
          ['Done', bulk.done, 'good'],
          ['Failed', bulk.failedCount, 'loss'],
          ['Not known', bulk.unknownCount, 'caution'],
          ['Not sent', bulk.notSent, 'plain'],
        ] as const);
  const told = figures.filter(([name, count]) => count > 0 || (progress !== undefined && name === 'Done'));
  // A single one is in the title.
  if (told.length < 2) return null;
  return (
    <dl class="figures">
      {told.map(([name, count, tone]) => (
        <div key={name} class={count > 0 ? `figure tone-${tone}` : 'figure'}>
          <dt>{name}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function runningFigures({ done, total, ofMany }: ProgressView, isPaused: boolean, isLast: boolean) {
  const { sent, failed, unknown } = ofMany ?? { sent: 0, failed: 0, unknown: 0 };
  return [
    ['Done', done - failed - unknown, 'good'],
    ['Failed', failed, 'loss'],
    ['Not known', unknown, 'caution'],
    [isLast ? 'Sent, no answer seen' : isPaused ? 'To be tried again' : 'Sent, no answer yet', sent, isLast ? 'caution' : 'act'],
    ['Not sent', total - done - sent, 'plain'],
  ] as const;
}

interface ReasonsProps {
  readonly title: string;
  readonly kind: string;
  readonly count: number;
  readonly of: readonly OutcomeReason[];
  /** What was sent together is listed together. */
  readonly requests?: BulkView['unknownRequests'];
  readonly titles: Titles;
}

function Reasons({ title, kind, count, of, requests = [], titles }: ReasonsProps) {
  if (of.length === 0) return null;
  const groups = reasonsOf(of);
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {title}: {countInWords(count, 'video')}
      </h2>
      {of.length < count && <p class="quiet">The first {number(of.length)}.</p>}
      {groups.map(({ reason, of: same }) => (
        <section key={reason} class="stack" aria-label={reason}>
          <p class={`row-reason tone-${kind}`}>
            {groups.length > 1 && `${number(same.length)}: `}
            <Typeset text={reason} hasLinks />
          </p>
          {sentTogether(same, requests).map(({ heading, of: together }) => (
            <Fragment key={heading}>
              {heading !== '' && <h3>{heading}</h3>}
              <LongList
                of={together}
                label={heading === '' ? `${title}: ${reason}` : heading}
                rowClass={() => `tone-${kind}`}
                row={({ id }) => <VideoRow id={id} title={titles.get(id)} />}
              />
            </Fragment>
          ))}
        </section>
      ))}
    </section>
  );
}

/** Those of each request under a heading of their own; without one, where that is not known. */
function sentTogether(of: readonly OutcomeReason[], requests: NonNullable<BulkView['unknownRequests']>) {
  const groups = requests.flatMap(({ request, count }, index) => {
    const together = of.filter((one) => one.request === request);
    const which = requests.length === 1 ? 'Sent together' : `Sent together, ${number(index + 1)} of ${number(requests.length)}`;
    return together.length === 0 ? [] : [{ heading: `${which}: ${countInWords(count, 'video')}`, of: together }];
  });
  const others = of.filter((one) => !requests.some(({ request }) => request === one.request));
  return others.length === 0 ? groups : [...groups, { heading: '', of: others }];
}
