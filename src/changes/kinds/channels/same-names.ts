import type { Values } from '../../../platform/is-object.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { asItLooks } from '../../../text/sanitize-text.ts';
import { inQuotes } from '../../../text/sentence.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import type { ChannelItem } from './channel-change.ts';

/**
 * Renames onto a name that another channel has, or gets by the same change: notices, and the basis of the plan by which a name that was
 * taken after the preview is noticed.
 */
export function sameNames(
  items: readonly ChannelItem[],
  channels: readonly Channel[],
): { readonly notices: readonly NoticeOf<'same_name'>[]; readonly basis: Values } {
  const names = new Map<string, string>(channels.map(({ id, name = '' }) => [id, asItLooks(name)]));
  for (const { id, after } of items) names.set(id, asItLooks(after.name));
  const shared = items.flatMap(({ id, label, before, after }) => {
    const others = [...names].flatMap(([other, name]) => (other !== id && name === asItLooks(after.name) ? [other] : []));
    return after.name === before.name || others.length === 0 ? [] : [{ id, label, name: after.name, others }];
  });
  return {
    notices: shared.map(({ label, name }) => ({ kind: 'same_name', label, name: inQuotes(name) })),
    basis: { namesakes: shared.map(({ id, others }) => [id, others]) },
  };
}
