import type { Channel } from '../../../service/resources/channels.ts';
import { idAt } from '../../journal/change-order.ts';
import type { Journal } from '../../journal/journal.ts';
import { kindsWith } from '../../plan/traits/index.ts';

/** For so long a service may show an earlier record; after that, its versions may have been set back. */
const MAX_LAG_MS = 10 * 60_000;

const UPDATES = kindsWith(({ channels }) => channels === 'update');

/** Of the channels that the service shows as they were before a recent change of this server: the version that was seen after it. */
export async function laterOwnVersions(channels: readonly Channel[], journal: Journal): Promise<ReadonlyMap<string, number>> {
  const shown = new Map<string, number>(channels.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])));
  const since = Date.now() - MAX_LAG_MS;
  const begun = { changeId: idAt(since), at: new Date(since).toISOString() };
  const later = new Map<string, number>();
  for await (const { items } of journal.eachSince(UPDATES, begun, new Set(shown.keys())))
    for (const { id, seenAfter } of items) {
      const left = seenAfter?.version ?? 0;
      if (left > (later.get(id) ?? shown.get(id) ?? Number.POSITIVE_INFINITY)) later.set(id, left);
    }
  return later;
}
