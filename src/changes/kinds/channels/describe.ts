import { labelOf, type Referable, shownName } from '../../../account/references.ts';
import type { TitleOf } from '../../../account/video-references.ts';
import { inQuotes, type Sentence, sentence } from '../../../text/sentence.ts';
import type { Notice } from '../../notices/notices.ts';
import type { Facts } from '../../plan/facts.ts';
import type { Called } from '../../plan/plan.ts';
import type { Preview } from '../../plan/preview.ts';
import { byLoss, recordDifferences, titlesFor } from '../../plan/record-difference.ts';
import type { ChannelItem } from './channel-change.ts';
import { cautionsOf, lossesOf, unknownNotices } from './losses.ts';
import { undoOfChannels } from './restorable.ts';

const ON_FAILURE = sentence`If the service refuses one of the channels, the others are changed all the same. If it fails or can’t be reached, those not yet sent stay as they are, and can be sent later.`;

const looksOf = (channel: Referable): string => shownName(channel).normalize('NFC');

/** What channels of an account are called: by the name alone where it is unique, since ids make every answer longer. */
export function shortLabels(channels: readonly Referable[]): (channel: Referable) => Called {
  const counts = new Map<string, number>();
  for (const channel of channels) counts.set(looksOf(channel), (counts.get(looksOf(channel)) ?? 0) + 1);
  return (channel) => {
    const name = shownName(channel);
    return name !== '' && counts.get(looksOf(channel)) === 1 ? { label: inQuotes(name), name } : { label: labelOf(channel) };
  };
}

/** The preview of a change to channels: the records in their order, what is lost with those first that lose most. */
export function describeItems(
  summary: Sentence,
  items: readonly ChannelItem[],
  notices: readonly Notice[],
  { titleOf, facts }: { readonly facts: Facts; readonly titleOf: TitleOf },
): Preview {
  const records = recordDifferences(items, facts);
  const ordered = byLoss(records).flatMap(({ id }) => items.find((item) => item.id === id) ?? []);
  return {
    summary,
    notices: [
      ...unknownNotices(ordered),
      ...ordered.flatMap((item) => lossesOf(item, titleOf)),
      ...ordered.flatMap(cautionsOf),
      ...notices,
    ],
    records,
    titles: titlesFor(records, titleOf),
    onFailure: items.length > 1 ? ON_FAILURE : sentence``,
    undo: undoOfChannels(items, notices),
  };
}
