import { randomUUID } from 'node:crypto';
import { unseenLinksIn } from '../../changes/asking/unseen-forms.ts';
import { sentence } from '../../text/sentence.ts';
import type { Row } from '../../text/text-columns.ts';
import type { FormReply } from '../app-contract.ts';
import type { ToolContext } from '../define-tool.ts';

/** A client that declines sooner asked nobody. */
const MIN_ANSWER_MS = 500;
const MAX_ISSUED = 1_000;

type Context = Pick<ToolContext, 'call' | 'settings'>;

/** When clients were asked to have a link opened, by the change that waits under it. */
const askedAt = new Map<string, number>();

/** Asks the client to have its user open the link under which a change waits. Undefined where it doesn’t ask anybody, or has been asked. */
export async function askToOpen(
  { changeId, url, lead }: { readonly changeId: string; readonly url: string; readonly lead: readonly Row[] },
  { call: { links, person }, settings }: Context,
): Promise<FormReply | undefined> {
  if (links.kind === 'none' || person === undefined || isAnswered(links)) return undefined;
  if ((await unseenLinksIn(settings, person.id, links.userAgent).find(links.client)) !== undefined) return undefined;
  askedAt.delete(changeId);
  askedAt.set(changeId, performance.now());
  const [oldest] = askedAt.keys();
  if (askedAt.size > MAX_ISSUED && oldest !== undefined) askedAt.delete(oldest);
  const message = [...lead.map(({ text }) => text), WAITS].join('\n');
  return { kind: 'form', form: { mode: 'url', url, message, elicitationId: randomUUID() }, state: changeId };
}

const WAITS = sentence`Nothing is sent yet. The page shows all of it, with Apply and Decline.`;

const isAnswered = ({ answer, state }: Pick<Extract<Context['call']['links'], { kind: 'asks' }>, 'answer' | 'state'>): boolean =>
  state !== undefined || answer !== undefined;

/**
 * The change whose link the client was asked to have opened, in the call that this one repeats with the answer: whatever that is, the change
 * waits on. A client that declines for its user, unasked, is remembered for this person. Undefined for any other call.
 */
export async function askedToOpen({ call: { links, person }, settings }: Context): Promise<string | undefined> {
  if (links.kind === 'none' || person === undefined || !isAnswered(links)) return undefined;
  const { client, answer, state = '', userAgent } = links;
  const unseen = unseenLinksIn(settings, person.id, userAgent);
  const at = askedAt.get(state);
  askedAt.delete(state);
  const isUnseen = at !== undefined && answer?.action !== 'accept' && performance.now() - at < MIN_ANSWER_MS;
  if (isUnseen) await unseen.remember(client, 'declined');
  else if (answer?.action === 'accept') await unseen.forget(client);
  return state;
}
