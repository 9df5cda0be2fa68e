import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeView } from '../../contract.ts';
import { endDraft, statements } from '../channel/use-editor.ts';
import { useAnnounce, useForYou, usePageContext, useSource } from '../data/page-context.tsx';
import type { SourceEvent } from '../data/source.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Folded, Sentences, Status, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { Download } from '../parts/download.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { isOver, outcomeOf, recordsHeading } from '../parts/statuses.ts';
import { titlesOf } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { channelAddress, listAddress } from '../router.ts';
import { AskedLine } from './asked-line.tsx';
import { Bulk } from './bulk.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { EmailFile } from './email-file.tsx';
import { ForOther } from './for-other.tsx';
import { Kept, Overtakes, WhyAsked } from './kept.tsx';
import { isShort, Losses, WorstLosses } from './losses.tsx';
import { OverBar, RunningBar } from './other-bars.tsx';
import { OtherChanges, type Waiting } from './other-changes.tsx';
import { Outcome } from './outcome.tsx';
import { RecordCard } from './record-card.tsx';
import { Stated, StatedEarlier, StatedRisk } from './stated.tsx';
import { isStatedOnly } from './stated-words.ts';
import { Undoing } from './undoing.tsx';
import { UnfitNotice } from './unfit.tsx';
import { CONTRADICTED, Compared, EMPTIED, Facts, LeftAlone, LOST, OTHER_WARNINGS, WARNINGS, Warnings } from './warnings.tsx';

const CHANGES = {
  ...{ words: 'All changes', address: listAddress('changes') },
  missing: 'The link may be cut off or of another account, or the change was too long ago to be kept.',
};

/** Reads the change again where it became another, and moves the bar where it only went on. */
function affected(event: SourceEvent, change: ChangeView | undefined, changeId: string): boolean | { readonly patched: ChangeView } {
  // What was asked for to carry a change on leads to that once it is begun.
  if (event.type !== 'change' || (event.changeId !== changeId && event.changeId !== change?.changeId)) return false;
  if (change === undefined || event.status !== change.status || event.progress === undefined) return true;
  // What holds until something is done is told no more then.
  if (change.progress?.done === 0 && event.progress.done > 0) return true;
  const { paused, ...rest } = change;
  return { patched: { ...rest, progress: event.progress, ...(event.paused && { paused: event.paused }) } };
}

/** So few warnings stand before what changes. */
const MAX_FIRST = 2;

export function ChangePage({ changeId, waiting }: { readonly changeId: string; readonly waiting: Waiting }) {
  const source = useSource();
  const loaded = useLoaded(
    changeId,
    (signal) => source.change(changeId, signal),
    (event, change) => affected(event, change, changeId),
  );
  return (
    <WhenLoaded loaded={loaded} what="A change" list={CHANGES}>
      {(change) => (
        <Change
          change={change}
          replace={loaded.replace}
          reload={loaded.reload}
          others={waiting.filter((other) => other.changeId !== changeId)}
        />
      )}
    </WhenLoaded>
  );
}

interface Props {
  readonly change: ChangeView;
  readonly replace: (change: ChangeView) => void;
  readonly reload: () => void;
  readonly others: Waiting;
}

function Change({ change, replace, reload, others }: Props) {
  const { mayAct } = usePageContext();
  const titles = titlesOf(change.titles);
  const { conflicts = [] } = change;
  const isWaiting = change.status === 'waiting';
  const [seenDigest, setSeenDigest] = useState(change.planDigest);
  const statement = statements.get(change.changeId);
  // Of one that waits again nobody has read a plan yet, so it is not another one.
  if (isWaiting === (seenDigest === undefined)) setSeenDigest(change.planDigest);
  // What can’t be applied is told by why: the plan is what it was once.
  const isUnfit = change.isNeedless === true || (change.problemSteps !== undefined && change.isPassing !== true);
  const isNewPlan = isWaiting && seenDigest !== undefined && change.planDigest !== seenDigest;
  useAnnouncedStatus(change);
  useEffect(() => {
    if (change.status === 'applied' || change.status === 'needless') endDraft(change.changeId);
  }, [change.changeId, change.status]);
  const unlisted = change.notices.filter(({ isListed, isLeftAlone }) => isListed !== true && isLeftAlone !== true);
  const stated = <Stated records={change.records} titles={titles} isWaiting={isWaiting} />;
  const records = change.records.length > 0 && (
    <section class="stack" aria-labelledby="records">
      <h2 id="records">{recordsHeading(change)}</h2>
      {change.records.map((record) => (
        <RecordCard key={record.id} record={record} titles={titles} change={change} />
      ))}
    </section>
  );
  // That it can’t be undone stands where the buttons are, too.
  const byWeight = unlisted.toSorted((one, other) => Number(one.weight === 'final') - Number(other.weight === 'final'));
  const warnings = <Warnings label="Warnings" of={byWeight} weights={OTHER_WARNINGS} />;
  const areFew = unlisted.filter(({ weight }) => OTHER_WARNINGS.includes(weight)).length <= MAX_FIRST;
  // Of what only records or hands over something, nothing leaves.
  const losing = change.changesAccount ? change.records : [];
  const lost = <Losses records={losing} titles={titles} />;
  const toKnow = (
    <>
      {!isOver(change.status) && <Facts of={unlisted} />}
      <Undoing change={change} />
    </>
  );
  return (
    <>
      <p class="cluster above small">
        <a href={listAddress('changes')}>All changes</a>
        {statement !== undefined && <a href={channelAddress(statement.channelId)}>{isWaiting ? 'Back to the list' : 'To the channel'}</a>}
        <Status of={change} />
        {!isWaiting && <Timestamp at={change.at} />}
      </p>
      {/* Only namesakes are told apart by their ids. */}
      <ViewHeading>
        <Typeset text={change.summary} hasIds={change.records.some(({ name }) => name.startsWith('"'))} />
      </ViewHeading>
      {isWaiting && <AskedLine change={change} />}
      {isWaiting && <WhyAsked change={change} />}
      {!isWaiting && <Outcome change={change} />}
      {change.meaning !== undefined && (
        <Callout tone={isWaiting && !change.changesAccount ? 'caution' : 'plain'}>
          <Sentences of={[change.meaning]} />
        </Callout>
      )}
      {/* What is recorded is sent by later changes. */}
      {change.status === 'applied' && !change.changesAccount && (
        <Warnings label="What contradicted it when it was recorded" of={unlisted} weights={CONTRADICTED} />
      )}
      {isWaiting && <UnfitNotice change={change} reload={reload} />}
      {isWaiting && <ForOther change={change} />}
      {isWaiting && change.isNeedless !== true && (isNewPlan || conflicts.length > 0) && (
        <ConflictsNotice conflicts={conflicts} isNew={isNewPlan} isListOlder={isStatedOnly(change)} />
      )}
      {isWaiting && <Overtakes change={change} others={others} />}
      {isWaiting && (
        <Folded words={isUnfit ? 'The plan as it was asked for' : undefined}>
          <WorstLosses records={losing} recordWord={change.counts?.what ?? 'record'} />
          {!losing.some(({ endsEmpty }) => endsEmpty === true) && (
            <Warnings label="Warnings of what is emptied" of={unlisted} weights={EMPTIED} />
          )}
          <Warnings label="Warnings of what is contradicted" of={unlisted} weights={CONTRADICTED} />
          <Warnings label="Warnings of what is lost" of={unlisted} weights={LOST} />
          {isShort(losing) && lost}
          <StatedRisk change={change} />
          <StatedEarlier change={change} />
          <LeftAlone of={change.notices} />
          {!isShort(losing) && lost}
          {areFew && warnings}
          {records}
          {stated}
          <Compared of={unlisted} />
          {!areFew && warnings}
        </Folded>
      )}
      {change.status === 'running' && (
        <>
          <LeftAlone of={change.notices} />
          <Warnings label="Warnings" of={change.notices.filter(({ isLeftAlone }) => isLeftAlone !== true)} weights={WARNINGS} />
        </>
      )}
      <EmailFile change={change} />
      {change.bulk !== undefined && (
        <Bulk
          bulk={change.bulk}
          titles={titles}
          status={change.status}
          progress={change.progress}
          isPaused={change.paused !== undefined && change.isStopping !== true}
        >
          {change.bulk.hasOutcomesFile === true && (
            <p>
              <Download
                path={`changes/${encodeURIComponent(change.changeId)}/outcomes.csv`}
                words={
                  change.bulk.unknownCount > 0 ? 'Download what was not done, or is not known (CSV)' : 'Download what was not done (CSV)'
                }
              />
            </p>
          )}
          {toKnow}
        </Bulk>
      )}
      {change.bulk === undefined && toKnow}
      {isWaiting ? (
        <Kept change={change} />
      ) : (
        <>
          {records}
          {stated}
        </>
      )}
      <OtherChanges of={others} />
      {mayAct && isWaiting && change.mayDecide !== false && (
        <DecisionBar change={change} isNewPlan={isNewPlan} onSeen={() => setSeenDigest(change.planDigest)} replace={replace} />
      )}
      {mayAct && change.status === 'running' && change.canStop && <RunningBar change={change} replace={replace} />}
      {mayAct && isOver(change.status) && (change.canUndo || change.canResume || change.canRetry) && <OverBar change={change} />}
    </>
  );
}

interface ConflictsProps {
  readonly conflicts: readonly string[];
  readonly isNew: boolean;
  /** What somebody states was stated before that. */
  readonly isListOlder: boolean;
}

/** What changed in the account since the plan was first shown. It comes into sight by itself where the person was reading the plan before. */
function ConflictsNotice({ conflicts, isNew, isListOlder }: ConflictsProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) element.current?.focus();
  }, [isNew, conflicts]);
  return (
    <div tabIndex={-1} ref={element}>
      <Callout tone="caution" title="The account changed since this plan was first shown. Nothing was sent." isUrgent>
        <Sentences of={conflicts} />
        {conflicts.length > 0 && <p>By whom is not known. What is below would be sent now: read it, then decide.</p>}
        {isListOlder && (
          <p>
            <strong>The list was given before that, and may be out of date.</strong>
          </p>
        )}
      </Callout>
    </div>
  );
}

/** Says what became of the change where it becomes something else while it is shown. */
function useAnnouncedStatus(change: ChangeView): void {
  const announce = useAnnounce();
  const { status, summary } = change;
  const [first] = useState(status);
  const outcome = outcomeOf(change);
  const forYou = useForYou();
  useEffect(() => {
    if (status !== first) announce(`${outcome || `It waits${forYou}.`} ${summary}`);
  }, [status, first, outcome, summary, forYou, announce]);
}
