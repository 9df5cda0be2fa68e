import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeView } from '../../contract.ts';
import { endDraft, statements } from '../channel/use-editor.ts';
import { useAnnounce, usePageContext, useSource } from '../data/page-context.tsx';
import type { SourceEvent } from '../data/source.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Folded, Sentences, Status, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { Download } from '../parts/download.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { ProgressBar } from '../parts/progress.tsx';
import { isOver, isPartLeft, outcomeOf, recordsHeading, statusRow, type Tone } from '../parts/statuses.ts';
import { titlesOf } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
import { changeAddress, channelAddress, listAddress } from '../router.ts';
import { Bulk } from './bulk.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { EmailFile } from './email-file.tsx';
import { Kept } from './kept.tsx';
import { Losses } from './losses.tsx';
import { OverBar, RunningBar } from './other-bars.tsx';
import { whyOf } from './reasons.ts';
import { RecordCard } from './record-card.tsx';
import { isStatedOnly, Stated } from './stated.tsx';

export type Waiting = readonly { readonly changeId: string; readonly summary: string }[];

/** Reads the change again where it became another, and moves the bar where it only went on. */
function affected(event: SourceEvent, change: ChangeView | undefined, changeId: string): boolean | { readonly patched: ChangeView } {
  // What was asked for to carry a change on leads to that once it is begun.
  if (event.type !== 'change' || (event.changeId !== changeId && event.changeId !== change?.changeId)) return false;
  if (change === undefined || event.status !== change.status || event.progress === undefined) return true;
  return { patched: { ...change, progress: event.progress } };
}

export function ChangePage({ changeId, waiting }: { readonly changeId: string; readonly waiting: Waiting }) {
  const source = useSource();
  const loaded = useLoaded(
    changeId,
    () => source.change(changeId),
    (event, change) => affected(event, change, changeId),
  );
  return (
    <WhenLoaded loaded={loaded} what="A change">
      {(change) => <Change change={change} replace={loaded.replace} others={waiting.filter((other) => other.changeId !== changeId)} />}
    </WhenLoaded>
  );
}

interface Props {
  readonly change: ChangeView;
  readonly replace: (change: ChangeView) => void;
  readonly others: Waiting;
}

function Change({ change, replace, others }: Props) {
  const { mayAct } = usePageContext();
  const titles = titlesOf(change.titles);
  const { conflicts = [] } = change;
  const isWaiting = change.status === 'waiting';
  const [seenDigest, setSeenDigest] = useState(change.planDigest);
  const statement = statements.get(change.changeId);
  // Of one that waits again nobody has read a plan yet, so it is not another one.
  if (isWaiting === (seenDigest === undefined)) setSeenDigest(change.planDigest);
  const isNewPlan = isWaiting && seenDigest !== undefined && change.planDigest !== seenDigest;
  useAnnouncedStatus(change);
  useEffect(() => {
    if (change.status === 'applied' || change.status === 'needless') endDraft(change.changeId);
  }, [change.changeId, change.status]);
  const unlisted = change.notices.filter(({ isListed, isLeftAlone }) => isListed !== true && isLeftAlone !== true);
  const stated = <Stated records={change.records} titles={titles} isWaiting={isWaiting} hasConflicts={conflicts.length > 0} />;
  const records = change.records.length > 0 && (
    <section class="stack" aria-labelledby="records">
      <h2 id="records">{recordsHeading(change.status)}</h2>
      {change.records.map((record) => (
        <RecordCard key={record.id} record={record} titles={titles} status={change.status} />
      ))}
    </section>
  );
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
        <Timestamp at={change.at} />
      </p>
      <ViewHeading>
        <Typeset text={change.summary} />
      </ViewHeading>
      {change.meaning !== undefined && (
        <p class="lead">
          <Typeset text={change.meaning} />
        </p>
      )}
      {!isWaiting && <Outcome change={change} />}
      {change.problem !== undefined && (
        <Callout
          tone="caution"
          title={change.isNeedless === true ? 'It is as wanted already: decline it.' : 'This can’t be applied as things are now.'}
        >
          <Sentences of={[change.problem]} />
          {change.isNeedless !== true && (
            <p>
              Decline it, and say in the note what to ask for instead; or put right what is in its way, and open it again
              {change.expiresAt !== undefined && (
                <>
                  : it waits until <Timestamp at={change.expiresAt} />
                </>
              )}
              .
            </p>
          )}
        </Callout>
      )}
      {isWaiting && change.isNeedless !== true && (isNewPlan || conflicts.length > 0) && (
        <ConflictsNotice conflicts={conflicts} isNew={isNewPlan} />
      )}
      {isWaiting && (
        <Folded words={change.isNeedless === true ? 'The plan as it was asked for' : undefined}>
          <Warnings label="Warnings of what is gravest" of={unlisted} weights={GRAVEST} />
          <LeftAlone of={change.notices} />
          <Losses records={change.records} titles={titles} recordWord={change.counts?.what ?? 'record'} />
          <Warnings label="Warnings of what is lost" of={unlisted} weights={LOST} />
          {records}
          {stated}
          <Warnings label="Warnings" of={unlisted} weights={OTHERS} />
        </Folded>
      )}
      {change.status === 'running' && (
        <>
          <LeftAlone of={change.notices} />
          <Warnings label="Warnings" of={change.notices.filter(({ isLeftAlone }) => isLeftAlone !== true)} weights={WARNINGS} />
        </>
      )}
      <EmailFile change={change} />
      {change.bulk?.hasOutcomesFile === true && (
        <p>
          <Download path={`changes/${encodeURIComponent(change.changeId)}/outcomes.csv`} words="Download what was not done (CSV)" />
        </p>
      )}
      {change.bulk !== undefined && (
        <Bulk bulk={change.bulk} titles={titles} status={change.status}>
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
      <Others of={others} />
      {mayAct && isWaiting && change.mayDecide !== false && (
        <DecisionBar change={change} isNewPlan={isNewPlan} onSeen={() => setSeenDigest(change.planDigest)} replace={replace} />
      )}
      {mayAct && change.status === 'running' && change.canStop && <RunningBar change={change} replace={replace} />}
      {mayAct && isOver(change.status) && (change.canUndo || change.canResume || change.canRetry) && <OverBar change={change} />}
    </>
  );
}

/** Who asked for it and who agreed, and when. */
function Agreed({ of }: { readonly of: NonNullable<ChangeView['agreed']> }) {
  if (of.length === 0) return null;
  return (
    <p>
      {of.map(({ words, at }) => (
        <span key={words}>
          <bdi>{words}</bdi>
          {at !== undefined && (
            <>
              {' on '}
              <Timestamp at={at} />.
            </>
          )}{' '}
        </span>
      ))}
    </p>
  );
}

const UNBEGUN: readonly ChangeView['status'][] = ['waiting', 'declined', 'withdrawn', 'expired', 'needless'];
const isBegun = (status: ChangeView['status']): boolean => !UNBEGUN.includes(status);

function toneOf(change: ChangeView): Tone {
  if (!isOver(change.status)) return 'plain';
  const { tone } = statusRow(change);
  return tone === 'good' && isPartLeft(change) ? 'caution' : tone;
}

/** What of what was asked for is left alone, and why: before long lists of what is not. */
function LeftAlone({ of }: { readonly of: ChangeView['notices'] }) {
  const left = of.filter(({ isLeftAlone }) => isLeftAlone === true);
  if (left.length === 0) return null;
  return (
    <Callout tone={left.some(({ weight }) => weight !== 'fact') ? 'caution' : 'plain'} title="Left alone">
      <Sentences of={left.map(({ text }) => text)} />
    </Callout>
  );
}

/** What became of it, first of all once it is decided. */
function Outcome({ change }: { readonly change: ChangeView }) {
  const { status, progress, agreed = [], notes, undo, undoneBy, partlyUndoneBy, press, trouble } = change;
  const sentence = outcomeOf(change);
  const left = isOver(status) && isBegun(status) ? change.notices.filter(({ isLeftAlone }) => isLeftAlone === true) : [];
  const why = whyOf(change);
  // Where it can be, its button says so.
  const isFinal = change.changesAccount && isOver(status) && isBegun(status) && undoneBy === undefined && undo.possible !== 'yes';
  return (
    <>
      {press !== undefined && (
        <Callout tone="plain" isUrgent>
          <Sentences of={[press]} />
        </Callout>
      )}
      {trouble !== undefined && (
        <Callout tone="caution" title="It can’t go on right now, and is tried again by itself.">
          <Sentences of={[trouble]} />
        </Callout>
      )}
      {(sentence !== '' || notes.length > 0) && (
        <Callout tone={toneOf(change)} title={sentence}>
          <Sentences of={[...left.map(({ text }) => text), ...why, ...(isFinal && undo.how !== '' ? [undo.how] : [])]} />
          <Sentences of={notes.filter((note) => !why.includes(note))} />
          <Agreed of={agreed} />
          {partlyUndoneBy !== undefined && (
            <p>
              Part of it was <a href={changeAddress(partlyUndoneBy)}>undone later</a>.
            </p>
          )}
          {undoneBy !== undefined && (
            <p>
              It was <a href={changeAddress(undoneBy)}>undone later</a>.
            </p>
          )}
        </Callout>
      )}
      {status === 'running' && <ProgressBar progress={progress} />}
    </>
  );
}

/** What changed in the account since the plan was first shown. It comes into sight by itself where the person was reading the plan before. */
function ConflictsNotice({ conflicts, isNew }: { readonly conflicts: readonly string[]; readonly isNew: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) element.current?.focus();
  }, [isNew, conflicts]);
  return (
    <div tabIndex={-1} ref={element}>
      <Callout tone="caution" title="The account changed since this plan was first shown. Nothing was sent." isUrgent>
        <Sentences of={conflicts} />
        <p>Below is the plan as it is now.</p>
      </Callout>
    </div>
  );
}

type Weight = ChangeView['notices'][number]['weight'];

/** In the order in which they are shown: a long list never stands before what empties a record or tells that the list is wrong. */
const GRAVEST: readonly Weight[] = ['emptied', 'contradicted'];
const LOST: readonly Weight[] = ['lost'];
const OTHERS: readonly Weight[] = ['final', 'caution'];
const WARNINGS: readonly Weight[] = [...GRAVEST, ...LOST, ...OTHERS];

interface WarningsProps {
  readonly label: string;
  readonly of: ChangeView['notices'];
  readonly weights: readonly Weight[];
}

function Warnings({ label, of, weights }: WarningsProps) {
  const warnings = of.filter(({ weight }) => weights.includes(weight));
  if (warnings.length === 0) return null;
  return (
    <section aria-label={label} class="stack">
      {warnings.map(({ text, weight }) => (
        <Callout key={text} tone={OTHERS.includes(weight) ? 'caution' : 'loss'}>
          <Sentences of={[text]} />
        </Callout>
      ))}
    </section>
  );
}

/** What is to be known, and warns of nothing. */
function Facts({ of }: { readonly of: ChangeView['notices'] }) {
  const facts = of.filter(({ weight }) => weight === 'fact');
  return facts.length === 0 ? null : (
    <div class="stack facts">
      <Sentences of={facts.map(({ text }) => text)} />
    </div>
  );
}

/** What can’t be undone says so itself. */
const UNDO = { yes: 'This can be undone', partly: 'Part of this can be undone', no: undefined } as const;

function Undoing({ change }: { readonly change: ChangeView }) {
  const { undo, onFailure, status, changesAccount, problem } = change;
  const { mayAct } = usePageContext();
  const possible = changesAccount ? UNDO[undo.possible] : undefined;
  // What can't be applied has nothing to undo.
  if ((status !== 'waiting' && status !== 'running') || problem !== undefined || undo.how === '') return null;
  return (
    <section class={`panel ${changesAccount && undo.possible === 'no' ? 'tone-caution' : ''}`} aria-label="Undo and failures">
      <p>
        {possible !== undefined && (
          <strong>
            {possible}
            {mayAct && ', here or by your assistant'}
            {undo.possible === 'yes' && isStatedOnly(change) && ', except contents that are not stated'}.{' '}
          </strong>
        )}
        <Typeset text={undo.how} />
      </p>
      {onFailure !== '' && (
        <p class="quiet">
          {/^If /.test(onFailure) ? '' : 'If one fails: '}
          <Typeset text={onFailure} />
        </p>
      )}
    </section>
  );
}

function Others({ of }: { readonly of: Waiting }) {
  if (of.length === 0) return null;
  return (
    <aside class="panel" aria-label="Other changes that wait for you">
      <h2>{of.length === 1 ? 'Another change waits for you' : `${of.length} other changes wait for you`}</h2>
      <ul class="stack">
        {of.map(({ changeId, summary }) => (
          <li key={changeId}>
            <a href={changeAddress(changeId)}>
              <Typeset text={summary} />
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Says what became of the change where it becomes something else while it is shown. */
function useAnnouncedStatus(change: ChangeView): void {
  const announce = useAnnounce();
  const { status, summary } = change;
  const [first] = useState(status);
  const outcome = outcomeOf(change);
  useEffect(() => {
    if (status !== first) announce(`${outcome || 'It waits for you.'} ${summary}`);
  }, [status, first, outcome, summary, announce]);
}
