import { randomUUID } from 'node:crypto';
import { unseenLinksIn } from '../../changes/asking/unseen-forms.ts';
import type { Values } from '../../platform/is-object.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { sentence } from '../../text/sentence.ts';
import type { Row } from '../../text/text-columns.ts';
import type { FormReply } from '../app-contract.ts';
import type { ToolContext } from '../define-tool.ts';

/** A client that declines sooner asked nobody. */
const MIN_ANSWER_MS = 500;
const MAX_ISSUED = 1_000;

type Context = Pick<ToolContext, 'call' | 'settings'>;

/** A call as the client makes it, and repeats it. */
export interface GivenCall {
  readonly tool: string;
  readonly args: Values;
}

/** When clients were asked to have a link opened, by the state that each was given: two calls may lead to one change. */
const askedAt = new Map<string, number>();

/** Asks the client to have its user open the link under which a change waits. Undefined where it doesn’t ask anybody, or has been asked. */
export async function askToOpen(
  { changeId, url, lead }: { readonly changeId: string; readonly url: string; readonly lead: readonly Row[] },
  given: GivenCall,
  context: Context,
): Promise<FormReply | undefined> {
  const { links, person } = context.call;
  if (links.kind === 'none' || person === undefined || isAnswered(given, context)) return undefined;
  if ((await unseenLinksIn(context.settings, person.id, links.userAgent).find(links.client)) !== undefined) return undefined;
  const state = stateOf({ changeId, nonce: randomUUID() }, given, context);
  askedAt.set(state, performance.now());
  const [oldest] = askedAt.keys();
  if (askedAt.size > MAX_ISSUED && oldest !== undefined) askedAt.delete(oldest);
  const message = [...lead.map(({ text }) => text), WAITS].join('\n');
  return { kind: 'form', form: { mode: 'url', url, message, elicitationId: randomUUID() }, state };
}

const WAITS = sentence`Nothing is sent yet. The page shows all of it, with Apply and Decline.`;

/** What a state is of: a question about a change. */
interface Question {
  readonly changeId: string;
  readonly nonce: string;
}

/** It comes back from the client, and is of this person’s call with these arguments alone. */
function stateOf({ changeId, nonce }: Question, { tool, args }: GivenCall, { call: { links, person } }: Context): string {
  const client = links.kind === 'none' ? undefined : links.client.name;
  return [changeId, nonce, digestOf(changeId, nonce, person?.id, client, tool, args)].join('.');
}

/** The change that the client was asked about, where this call brings the state of that question. */
function askedIn(given: GivenCall, context: Context): string | undefined {
  const { links } = context.call;
  if (links.kind === 'none' || links.state === undefined) return undefined;
  const [changeId = '', nonce = ''] = links.state.split('.');
  return stateOf({ changeId, nonce }, given, context) === links.state ? changeId : undefined;
}

/** An answer without a state is one, too: who brings none would be asked for ever. The state of another call is as none at all. */
function isAnswered(given: GivenCall, context: Context): boolean {
  const { links } = context.call;
  if (links.kind === 'none') return false;
  return links.state === undefined ? links.answer !== undefined : askedIn(given, context) !== undefined;
}

/**
 * The change whose link the client was asked to have opened, in the call that this one repeats with the answer: whatever that is, the change
 * waits on. A client that declines for its user, unasked, is remembered for this person; to be called before anything is planned, since that
 * takes its time. Undefined for any other call.
 */
export async function askedToOpen(given: GivenCall, context: Context): Promise<string | undefined> {
  const { links, person } = context.call;
  const changeId = askedIn(given, context);
  if (links.kind === 'none' || person === undefined || changeId === undefined) return undefined;
  const { client, answer, state = '', userAgent } = links;
  const unseen = unseenLinksIn(context.settings, person.id, userAgent);
  const at = askedAt.get(state);
  askedAt.delete(state);
  const isUnseen = at !== undefined && answer?.action !== 'accept' && performance.now() - at < MIN_ANSWER_MS;
  if (isUnseen) await unseen.remember(client, 'declined');
  else if (answer?.action === 'accept') await unseen.forget(client);
  return changeId;
}
