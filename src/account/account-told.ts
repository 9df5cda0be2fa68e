import { VideoHostingError } from '../errors.ts';
import type { ServiceClient } from '../service/client.ts';

/** Which account the service says that a credential is of, or why it does not tell. */
export type AccountTold = { readonly accountId: string } | { readonly untold: 'no-channels' | 'several' | 'no-account-id' };

/** With these the service answers that this credential gets no list of channels, however often it is asked. */
const REFUSALS: ReadonlySet<string> = new Set(['forbidden', 'service_not_found']);

/**
 * Asks the service. Channel records alone name an account, and all of them have to name the same one. The claims of a JWT are not
 * looked at: the API document names none, and nobody here verifies them. Throws where the service did not answer.
 */
export async function askForAccount({ channels }: Pick<ServiceClient, 'channels'>, signal: AbortSignal): Promise<AccountTold> {
  const whole = await channels.all({ signal }).catch((error: unknown) => {
    if (error instanceof VideoHostingError && REFUSALS.has(error.code)) return undefined;
    throw error;
  });
  if (whole === undefined) return { untold: 'no-account-id' };
  const { items, complete, skipped } = whole;
  const ids = new Set(items.map(({ accountId }) => accountId));
  const [accountId] = ids;
  if (ids.size > 1 && !ids.has(undefined) && !ids.has('')) return { untold: 'several' };
  if (items.length === 0 && complete && skipped === 0) return { untold: 'no-channels' };
  if (accountId === undefined || accountId === '' || ids.size > 1 || !complete || skipped > 0) return { untold: 'no-account-id' };
  return { accountId };
}
