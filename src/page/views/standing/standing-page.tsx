import type { StandingRule, StandingView } from '../../contract.ts';
import { useActions, useSource, useSurroundings } from '../data/surroundings.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Name, Notice, Sentences, Time, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import type { Tone } from '../parts/statuses.ts';
import { number } from '../parts/words.ts';
import { Revocation } from './revocation.tsx';

type Approval = StandingView['approvals'][number];

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

function Standing({ standing: { path, problems, approvals }, replace }: Props) {
  const { revokeAll } = useActions();
  const { mayAct } = useSurroundings();
  const open = approvals.filter(({ state }) => state !== 'revoked');
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
      {approvals.map((approval) => (
        <ApprovalPanel key={approval.id} approval={approval} replace={replace} />
      ))}
      {mayAct && open.length > 0 && (
        <section class="bar" aria-label="Stop all">
          <Revocation
            action="Stop all …"
            lead="Ends all of them at once."
            question={`Revoke ${open.length === 1 ? `“${open[0]?.id}”` : `all ${open.length} approvals`} for good?`}
            confirm="Stop all"
            done="All standing approvals were revoked."
            act={revokeAll}
            onAnswer={replace}
          />
        </section>
      )}
    </>
  );
}

const STATES: Readonly<Record<Approval['state'], { readonly words: string; readonly tone: Tone }>> = {
  counts: { words: '✓ Counts', tone: 'good' },
  ended: { words: '– Ended', tone: 'plain' },
  revoked: { words: '✕ Revoked', tone: 'loss' },
};

function ApprovalPanel({
  approval: { id, agent, state, revokedAt, until, rules },
  replace,
}: { readonly approval: Approval } & Pick<Props, 'replace'>) {
  const { revoke } = useActions();
  const { mayAct } = useSurroundings();
  const { words, tone } = STATES[state];
  return (
    <section class="panel approval" aria-label={`Approval ${id}`}>
      <div class="cluster">
        <h2 tabIndex={-1}>
          <Name>{id}</Name>
        </h2>
        <span class={`status tone-${tone}`}>{words}</span>
        {revokedAt !== undefined && (
          <span class="quiet small">
            on <Time at={revokedAt} />
          </span>
        )}
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
        <Revocation
          action="Revoke …"
          label={`Revoke ${id} …`}
          question={`Revoke “${id}” for good?`}
          confirm={`Revoke ${id}`}
          done={`${id} was revoked.`}
          act={() => revoke(id)}
          onAnswer={replace}
        />
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
