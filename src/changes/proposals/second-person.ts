import { SECOND_PERSON_KINDS, type SecondPersonKind, type SecondPersonRule, secondPersonRule } from '../../config/second-person.ts';
import type { Role } from '../../people/roles.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { Asked, Decided } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../plan/confirmed-by.ts';
import { moveIn } from '../plan/facts.ts';
import { itemsOf, type ShownPlan } from '../plan/plan.ts';
import type { ChangeKind } from '../plan/traits/index.ts';
import { sizeOf } from './size.ts';

/** A person who decides on a server for several. */
export interface Decider {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

/** As what each kind counts: an undo as what it does. */
const COUNTS_AS: Readonly<Record<ChangeKind, (plan: ShownPlan) => SecondPersonKind>> = {
  move_videos: () => 'move_videos',
  copy_cta: () => 'copy_cta',
  update_channels: () => 'update_channels',
  create_channels: () => 'create_channels',
  state_contents: () => 'state_contents',
  create_project: () => 'create_project',
  export_emails: () => 'export_emails',
  show_emails: () => 'export_emails',
  undo_change: ({ facts }) => (moveIn(facts) === undefined ? 'update_channels' : 'move_videos'),
};

const KIND_WORDS: Readonly<Record<SecondPersonKind, Sentence>> = {
  move_videos: sentence`a move of videos`,
  copy_cta: sentence`a copy of CTAs`,
  update_channels: sentence`a change of channels`,
  create_channels: sentence`the creation of channels`,
  state_contents: sentence`a list of what a channel holds`,
  create_project: sentence`the creation of a project`,
  export_emails: sentence`an export of emails`,
};

/** How much is done. So few people of a domain that they are not counted may be any number. */
function countOf(plan: ShownPlan, kind: SecondPersonKind): number {
  if (SECOND_PERSON_KINDS[kind] !== 'records') return sizeOf(plan);
  const [records] = itemsOf(plan).map(({ after }) => after.records);
  return typeof records === 'number' ? records : Number.POSITIVE_INFINITY;
}

/** What needs somebody else than who asked, in words: `Moves of more than 1,000 videos`; undefined where the plan does not. */
function needOf({ above }: SecondPersonRule, plan: ShownPlan): Sentence | undefined {
  const kind = COUNTS_AS[plan.kind](plan);
  const most = above[kind];
  if (most === undefined || countOf(plan, kind) <= most) return undefined;
  const what = KIND_WORDS[kind];
  return most === 0
    ? sentence`Here, ${what} needs a second person`
    : sentence`Here, ${what} needs a second person where it is of more than ${counted(most, SECOND_PERSON_KINDS[kind].slice(0, -1) as 'video', SECOND_PERSON_KINDS[kind])}`;
}

/** Why a change can’t be begun by who decided on it, as they asked for it themselves or may have; undefined where it can. */
export function secondPersonProblem(
  rule: SecondPersonRule,
  plan: ShownPlan,
  { how, asked, by }: { readonly how: Decided['how']; readonly asked: Asked; readonly by?: Decided['by'] },
): Sentence | undefined {
  // What a person allowed in advance has that person’s word.
  if (CONFIRMED_BY[how].hasReceipt === true) return undefined;
  // A terminal, or another server on the folder, may not know the rule under which it was asked for.
  const need = needOf(rule, plan) ?? needOf(secondPersonRule(asked.secondPerson ?? 'never'), plan);
  if (need === undefined) return undefined;
  const asker = asked.by;
  if (by?.id === undefined)
    return sentence`${need}, and who decides is not known here: somebody else than ${asker === undefined ? 'who asked' : word(asker.name)} has to apply it, signed in on the page of the server for several people.`;
  if (asker?.id === undefined)
    return sentence`${need}, and who asked is not known as a person of this server${asker === undefined ? '' : sentence` (${word(asker.name)})`}, so nobody can be told to be somebody else. Ask for it through the server for several people.`;
  return asker.id === by.id ? sentence`${need}: ${word(by.name)} asked for it, so somebody else has to apply it.` : undefined;
}

/** Why a person’s roles don’t let them decide; undefined where they do. */
export const roleProblem = ({ name, roles }: Decider): Sentence | undefined =>
  roles.includes('approve')
    ? undefined
    : sentence`Only somebody who may approve can apply this, and ${word(name)} may only ${wordList(roles, ' and ')}.`;
