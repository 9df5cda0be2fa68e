import type { SecondPersonRule } from '../config/second-person.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import type { Person } from './people.ts';

/** Why a server must not begin with a rule: what somebody who may approve asks for could be applied by nobody. Undefined where it may. */
export function approversProblem({ isAlways }: SecondPersonRule, people: readonly Person[]): Sentence | undefined {
  const approvers = people.filter(({ roles }) => roles.includes('approve'));
  if (!isAlways || approvers.length >= 2) return undefined;
  const [only] = approvers;
  const who = only === undefined ? sentence`nobody may approve` : sentence`only ${word(only.name)} may approve`;
  return sentence`Each change needs a second person, and ${who}, so some could be applied by nobody.`;
}
