import { VideoHostingError } from '../../errors.ts';
import type { Person } from '../../people/people.ts';
import { type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { Effect } from '../app-contract.ts';
import { mayCall, ROLES_FOR } from '../listing/roles.ts';

/** Throws `not_permitted` where a person may not do what something does. `what` begins the sentence: the tool, or what is asked of it. */
export function assertMayCall(person: Person | undefined, what: Sentence, effect: Effect): void {
  if (person === undefined || mayCall(person, effect)) return;
  const wanted = ROLES_FOR[effect];
  const why =
    person.roles.length === 0
      ? sentence`the roles of ${word(person.name)} in the file of people count for nothing; whoever runs this server sets them anew (people roles)`
      : wanted.length === 0
        ? sentence`a change is decided on by a person, on the page`
        : sentence`it takes the role ${wordList(wanted, ' or ')}, which ${word(person.name)} does not have`;
  throw new VideoHostingError('not_permitted', sentence`${what} is refused: ${why}.`, { facts: { outcome: 'nothing-sent' } });
}
