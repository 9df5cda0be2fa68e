import { useState } from 'preact/hooks';
import type { StandingView } from '../../contract.ts';
import { ActionBar, focusOn } from '../change/other-bars.tsx';
import { useActions, useAnnounce, useSource, useSurroundings } from '../data/surroundings.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Name, Notice, Sentences, Time, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import type { Tone } from '../parts/statuses.ts';
import { number } from '../parts/words.ts';

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

interface Props {
  readonly standing: StandingView;
  readonly replace: (standing: StandingView) => void;
}

/** What a press of a button would revoke. */
interface Revocation {
  readonly question: string;
  readonly confirm: string;
  readonly done: string;
  readonly act: () => Promise<StandingView>;
  readonly button: HTMLElement;
}

function Standing({ standing: { path, problems, approvals }, replace }: Props) {
  const { revokeAll } = useActions();
  const { mayAct } = useSurroundings();
  const [asked, setAsked] = useState<Revocation>();
  const open = approvals.filter(({ state }) => state !== 'revoked');
  const question = `Revoke ${open.length === 1 ? `“${open[0]?.id}”` : `all ${open.length} approvals`} for good?`;
  const all = { question, confirm: 'Stop all', done: 'All standing approvals were revoked.', act: revokeAll };
  return (
    <>
      <ViewHeading>Standing approvals</ViewHeading>
      <p class="lead">
        What these rules cover is carried out without asking anybody. Everything else is asked for or waits. They stand in the file{' '}
        <Name>{path}</Name>, which no assistant can change here.
      </p>
      {problems.length > 0 && (
        <Notice tone="caution" title="Nothing is covered until the file is corrected.">
          <Sentences of={problems} />
        </Notice>
      )}
      {mayAct && open.length > 0 && (
        <p>
          <button type="button" onClick={({ currentTarget: button }) => setAsked({ ...all, button })}>
            Stop all …
          </button>
        </p>
      )}
      {approvals.map((approval) => (
        <ApprovalPanel key={approval.id} approval={approval} ask={setAsked} />
      ))}
      {asked !== undefined && <RevokeBar key={asked.question} asked={asked} end={() => setAsked(undefined)} replace={replace} />}
    </>
  );
}

/** Asks once, since what is revoked can’t be taken back. */
function RevokeBar({ asked, end, replace }: Pick<Props, 'replace'> & { readonly asked: Revocation; readonly end: () => void }) {
  const { question, confirm, done, act, button } = asked;
  const announce = useAnnounce();
  function leave(to: Element | null | undefined): void {
    end();
    focusOn(to ?? null);
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
      actions={[{ words: confirm, act }]}
      onAnswer={(standing) => {
        announce(done);
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

function ApprovalPanel({
  approval: { id, agent, state, until, rules },
  ask,
}: {
  readonly approval: Approval;
  readonly ask: (revocation: Revocation) => void;
}) {
  const { revoke } = useActions();
  const { mayAct } = useSurroundings();
  const { words, tone } = STATES[state];
  const revocation = {
    question: `Revoke “${id}” for good?`,
    confirm: `Revoke ${id}`,
    done: `${id} was revoked.`,
    act: () => revoke(id),
  };
  return (
    <section class="panel approval" aria-label={`Approval ${id}`}>
      <div class="cluster">
        <h2 tabIndex={-1}>
          <Name>{id}</Name>
        </h2>
        <span class={`status tone-${tone}`}>{words}</span>
        <span class="quiet small">
          for <Name>{agent}</Name>, {state === 'ended' ? 'ended' : 'ends'} at the start of <time dateTime={until}>{until}</time>
        </span>
      </div>
      <ul class="stack" aria-label={`Rules of ${id}`}>
        {rules.map((rule, index) => (
          <li key={index} class="stack rule">
            <p>
              <Name>{rule.text}</Name>
            </p>
            <Use rule={rule} isOpen={state === 'counts'} />
          </li>
        ))}
      </ul>
      {mayAct && state !== 'revoked' && (
        <p>
          <button type="button" aria-label={`Revoke ${id} …`} onClick={({ currentTarget: button }) => ask({ ...revocation, button })}>
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
        <dd class="last-use">{lastUse === undefined ? 'never' : <Time at={lastUse} />}</dd>
      </div>
    </dl>
  );
}
