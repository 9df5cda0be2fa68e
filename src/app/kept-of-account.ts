import type { Journal } from '../changes/journal/journal.ts';
import { kindsWith } from '../changes/plan/traits/index.ts';
import type { ProposalLookup } from '../changes/proposals/store.ts';
import { counted } from '../text/counted.ts';
import { joined, type Sentence, sentence } from '../text/sentence.ts';

const STATEMENTS = kindsWith(({ channels }) => channels === 'statement');

/** How much is kept of an account: `21 changes, 3 stated channels`. Undefined where nothing is. Reads the whole journal. */
export async function keptText(
  journal: Pick<Journal, 'each' | 'count'>,
  kept: Pick<ProposalLookup, 'list'>,
): Promise<Sentence | undefined> {
  const stated = new Set<string>();
  for await (const { items } of journal.each(STATEMENTS)) for (const { id, outcome } of items) if (outcome === 'done') stated.add(id);
  const waiting = (await kept.list()).proposals.filter(({ status }) => status === 'waiting').length;
  const changes = await journal.count();
  if (changes + waiting === 0) return undefined;
  const counts = [
    counted(changes, 'change'),
    ...(stated.size === 0 ? [] : [counted(stated.size, 'stated channel')]),
    ...(waiting === 0 ? [] : [counted(waiting, 'waiting change')]),
  ];
  return joined(counts, ', ');
}

/** What a person is told once, when their key has joined an account that was known. */
export const joinedText = (kept: Sentence): Sentence => sentence`This key is new here; the account was known, and has ${kept}.`;
