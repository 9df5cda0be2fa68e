import type { Account } from '../../../account/account.ts';
import { asItLooks, cleanText } from '../../../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { listText } from '../../plan/list-text.ts';
import type { KindTraits } from '../../plan/traits/kind-traits.ts';
import type { Kind, LookAgain } from '../kind.ts';

type Named = { readonly id: string; readonly name?: string | undefined };

export const RETRY_OF_NEW: Kind['retry'] = {
  no: sentence`What the service refused to create has to be corrected, and asked for anew.`,
  hint: sentence`See get_change for why it was refused. Without retryFailed, resume_change creates what was not sent.`,
};

/** Tells which record may be the new one. It stays not known: another person may have made one of that name. */
export const lookForNew = (
  record: KindTraits['record'],
  allOf: (account: Account, signal: AbortSignal) => Promise<readonly Named[]>,
): LookAgain => ({
  next: () => sentence`What may have been created is not sent again by itself: look as its reason says.`,
  async find(unknown, { intent: { facts }, items }, { account }, signal) {
    const all = await allOf(account, signal);
    const namesakes = 'namesakes' in facts ? facts.namesakes : [];
    // One that is not known may have the id of what was found of it before.
    const others = new Set<string | undefined>([
      ...namesakes,
      ...items.flatMap(({ outcome, result }) => (outcome === 'done' ? result?.id : [])),
    ]);
    return new Map(
      unknown.map(({ id, after }) => {
        const ids = all
          .filter(({ id, name = '' }) => asItLooks(name) === asItLooks(after.name ?? '') && !others.has(id))
          .map((one) => cleanText(one.id, 80));
        return [id, { outcome: 'unknown', reason: newRecordText(record, ids), candidates: ids }];
      }),
    );
  },
});

function newRecordText(what: KindTraits['record'], ids: readonly string[]): Sentence {
  const [only, ...more] = ids;
  if (only === undefined)
    return sentence`Looked for again, no ${what} of that name is there, so it was probably not created. Look at the list of ${what}s before it is created again.`;
  const found =
    more.length === 0
      ? sentence`A new ${what} of that name is there now (${word(only)}); it is`
      : sentence`New ${what}s of that name are there now (${listText(ids)}); one of them is`;
  return sentence`${found} probably this one. Look at it, and ask the user, before it is created again.`;
}
