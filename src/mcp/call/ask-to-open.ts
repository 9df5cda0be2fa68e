import { randomUUID } from 'node:crypto';
import { unseenLinksIn } from '../../changes/asking/unseen-forms.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { FormReply } from '../app-contract.ts';
import type { ToolContext } from '../define-tool.ts';

/** A client that declines sooner asked nobody. */
const MIN_ANSWER_MS = 500;
const MAX_ISSUED = 1_000;

/** When clients were asked to have a link opened, by the state that comes back with the answer. */
const issued = new Map<string, number>();

/**
 * Asks the client to have its user open the link under which a change waits. Undefined where it doesn’t ask anybody, or brings the answer:
 * whatever that is, the change waits on. One that declines for its user, unasked, is remembered for this person.
 */
export async function askToOpen(
  url: string,
  summary: Sentence,
  { call: { links, person }, settings }: Pick<ToolContext, 'call' | 'settings'>,
): Promise<FormReply | undefined> {
  if (links.kind === 'none' || person === undefined) return undefined;
  const unseen = unseenLinksIn(settings, person.id);
  const { client, answer, state } = links;
  if (state !== undefined || answer !== undefined) {
    const at = issued.get(state ?? '');
    issued.delete(state ?? '');
    const isUnseen = at !== undefined && answer?.action !== 'accept' && performance.now() - at < MIN_ANSWER_MS;
    if (isUnseen) await unseen.remember(client, 'declined');
    else if (answer?.action === 'accept') await unseen.forget(client);
    return undefined;
  }
  if ((await unseen.find(client)) !== undefined) return undefined;
  const next = randomUUID();
  issued.set(next, performance.now());
  const [oldest] = issued.keys();
  if (issued.size > MAX_ISSUED && oldest !== undefined) issued.delete(oldest);
  return { kind: 'form', form: { mode: 'url', url, message: sentence`${summary} ${WAITS}`, elicitationId: next }, state: next };
}

const WAITS = sentence`It waits for a decision, and nothing is sent before: open the page to see it in full, and apply or decline it there.`;
