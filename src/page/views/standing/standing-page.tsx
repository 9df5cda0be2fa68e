import { useState } from 'preact/hooks';
import type { StandingView } from '../../contract.ts';
import { ActionBar, focusOn } from '../change/other-bars.tsx';
import { useActions, useAnnounce, usePageContext, useRoles, useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Sentences, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import type { Tone } from '../parts/statuses.ts';
import { Typeset } from '../parts/typeset.tsx';
import { countInWords, dayInWords, number } from '../parts/words.ts';

type Approval = StandingView['approvals'][number];
type StandingRule = Approval['rules'][number];

/** What was allowed in advance, how much of it is used, and what ends it. */
export function StandingPage() {
  const source = useSource();
  const loaded = useLoaded('approvals', source.approvals, (event) => event.type === 'change');
  return (
    <WhenLoaded loaded={loaded} what="Standing approvals">
      {(standing) => <Standing standing={standing} replace={loaded.replace} />}
    </WhenLoaded>
  );
}

/** It ends what somebody who may decide allowed. */
function useMayRevoke(): boolean {
  const { mayAct } = usePageContext();
  const { mayApprove } = useRoles();
  return mayAct && mayApprove;
}

interface Props {
  readonly standing: StandingView;
  readonly replace: (standing: StandingView) => void;
}

/** What the person is asked about: one approval, or all; and the button that asked. */
interface Asked {
  readonly id?: string;
  readonly button: HTMLElement;
}

function Standing({ standing: { path, problems, approvals, names = {} }, replace }: Props) {
  const mayAct = useMayRevoke();
  const [asked, setAsked] = useState<Asked>();
  const open = approvals.filter(({ state }) => state !== 'revoked');
  return (
    <>
      <ViewHeading>Standing approvals</ViewHeading>
      <p class="lead">
        What these rules cover is carried out without asking anybody. Everything else is asked for or waits. They stand in the file{' '}
        <bdi>{path}</bdi>, which no assistant can change here.{mayAct && open.length > 0 && ' Each can be revoked at its end.'}
      </p>
      {problems.length > 0 && (
        <Callout tone="caution" title="Nothing is covered until the file is corrected.">
          <Sentences of={problems} />
          <p>
            Until then each change is asked for, or waits. Whoever may write the file corrects it in an editor; it counts once it is saved.
          </p>
        </Callout>
      )}
      {approvals.map((approval) => (
        <ApprovalPanel key={approval.id} approval={approval} names={names} ask={setAsked} />
      ))}
      {mayAct && open.length > 1 && (
        <p>
          <button type="button" onClick={({ currentTarget: button }) => setAsked({ button })}>
            Revoke all {number(open.length)} …
          </button>
        </p>
      )}
      {asked !== undefined && (
        <RevokeBar key={asked.id} asked={asked} count={open.length} end={() => setAsked(undefined)} replace={replace} />
      )}
    </>
  );
}

type BarProps = Pick<Props, 'replace'> & { readonly asked: Asked; readonly count: number; readonly end: () => void };

/** Asks once, since what is revoked can’t be taken back. */
function RevokeBar({ asked: { id, button }, count, end, replace }: BarProps) {
  const { revoke, revokeAll } = useActions();
  const announce = useAnnounce();
  const question = `Revoke ${id === undefined ? countInWords(count, 'approval') : `“${id}”`} for good?`;
  function leave(to: Element | null): void {
    end();
    focusOn(to);
  }
  return (
    <ActionBar
      about={question}
      label={question}
      explanation={
        <>
          <strong>{question}</strong> This can’t be taken back: what is revoked never counts again under its id, whatever the file says.
          What is being carried out under it stops before its next request.
        </>
      }
      cancel={{ words: 'Don’t revoke', act: () => leave(button) }}
      actions={[id === undefined ? { words: 'Revoke all', act: revokeAll } : { words: `Revoke ${id}`, act: () => revoke(id) }]}
      onAnswer={(standing) => {
        announce(`${id ?? 'Everything'} was revoked.`);
        // The button goes, and the focus with it.
        leave(button.closest('section.approval')?.querySelector('h2') ?? document.querySelector('h1'));
        replace(standing);
      }}
    />
  );
}

const STATES: Readonly<Record<Approval['state'], { readonly words: string; readonly tone: Tone }>> = {
  counts: { words: '✓ Counts', tone: 'good' },
  ended: { words: '– Ended', tone: 'plain' },
  revoked: { words: '✕ Revoked', tone: 'loss' },
};

interface PanelProps {
  readonly approval: Approval;
  readonly names: NonNullable<StandingView['names']>;
  readonly ask: (asked: Asked) => void;
}

function ApprovalPanel({ approval, names, ask }: PanelProps) {
  const { id, agent, state, until, rules } = approval;
  const mayAct = useMayRevoke();
  const { words, tone } = STATES[state];
  return (
    <section class="panel approval" aria-label={`Approval ${id}`}>
      <div class="cluster">
        <h2 tabIndex={-1}>
          <bdi>{id}</bdi>
        </h2>
        <span class={`status tone-${tone}`}>{words}</span>
        <span class="quiet small">
          for <bdi>{agent}</bdi>, {state === 'ended' ? 'ended' : 'ends'} at the start of <time dateTime={until}>{dayInWords(until)}</time>
        </span>
      </div>
      {state === 'revoked' && (
        <p class="small">
          It covers nothing any more, for good: what it covered is asked for or waits. Only a rule under a new id, in the file, can allow it
          again.
        </p>
      )}
      <ul class="stack" aria-label={`Rules of ${id}`}>
        {rules.map((rule, index) => (
          <li key={index} class="stack rule">
            <p>
              May <Typeset text={rule.allows} />.
            </p>
            {rule.unnamed?.map((channel) => (
              <p key={channel} class="small">
                <bdi class="record-id">{channel}</bdi>{' '}
                {names[channel] === undefined ? (
                  'is not among the channels that can be seen here'
                ) : (
                  <>
                    is the channel <bdi>“{names[channel]}”</bdi>
                  </>
                )}
                .
              </p>
            ))}
            <Use rule={rule} isOpen={state === 'counts'} />
          </li>
        ))}
      </ul>
      {mayAct && state !== 'revoked' && (
        <p>
          <button type="button" aria-label={`Revoke ${id} …`} onClick={({ currentTarget: button }) => ask({ id, button })}>
            Revoke …
          </button>
        </p>
      )}
    </section>
  );
}

const leftOf = ({ used, limit }: StandingRule['today']): string => number(Math.max(0, limit - used));

/** How much of a rule is used, and what is left where it counts. */
function Use({ rule: { today, inAll, lastUse }, isOpen }: { readonly rule: StandingRule; readonly isOpen: boolean }) {
  const { used, limit } = inAll;
  const figures = [
    ['Used today', number(today.used), today.limit],
    ['Used in all', number(used), limit],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, count, most]) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd>
            {count} {most !== undefined && <span class="quiet small">of {number(most)}</span>}
          </dd>
        </div>
      ))}
      {isOpen && (
        <div class="figure">
          <dt>Left today</dt>
          <dd>
            {leftOf(today)} {limit !== undefined && <span class="quiet small">and {leftOf({ used, limit })} in all</span>}
          </dd>
        </div>
      )}
      <div class="figure">
        <dt>Last use</dt>
        <dd class="last-use">{lastUse === undefined ? 'never' : <Timestamp at={lastUse} />}</dd>
      </div>
    </dl>
  );
}
