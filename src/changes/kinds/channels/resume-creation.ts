import { titlesIn } from '../../../account/video-references.ts';
import { refusal } from '../../../errors.ts';
import { counted } from '../../../text/counted.ts';
import { joined, sentence, word } from '../../../text/sentence.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import { noticeText } from '../../notices/notices.ts';
import { CREATABLE, pickFields } from '../../plan/channel-fields.ts';
import type { ItemPlan } from '../../plan/plan.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { carryOnTexts } from '../../plan/preview.ts';
import { type Creation, creationPlan } from '../creation-plan.ts';
import { creationFacts, creationOf, NO_UNDO, type ResolvedChannel } from './create-channels.ts';
import { readWhenNeeded } from './resolve-references.ts';

/**
 * Plans to create the channels that a change did not send. One that may have been created is never sent again. Throws
 * `not_resumable` where nothing is left.
 */
export async function planRestOfCreation(record: ChangeRecord, deps: PlanDeps, signal: AbortSignal): Promise<ItemPlan> {
  const { changeId } = record.intent;
  const open = record.items.filter(({ outcome }) => outcome === 'not_done');
  const unknown = record.items.filter(({ outcome }) => outcome === 'unknown');
  const doubts = unknown.map(({ label, reason = sentence`` }) => ({ kind: 'not_created_again', name: label, reason }) as const);
  const done = record.items.filter(({ outcome }) => outcome === 'done').length;
  if (open.length === 0)
    throw refusal(
      'not_resumable',
      joined([
        sentence`Nothing of ${word(changeId)} is left to be sent: ${done} of ${record.items.length} created.`,
        ...doubts.slice(0, MAX_DOUBTS).map(noticeText),
      ]),
    );
  const [channels, catalogue] = await Promise.all([deps.account.allChannels({ signal }), deps.catalogue()]);
  const creations = open.map((item): Creation => ({ ...creationOf(resolvedIn(item), { channels, catalogue }, deps), id: item.id }));
  const { preview, ...plan } = await creationPlan('create_channels', creations, {
    journal: deps.journal,
    noUndo: NO_UNDO,
    notices: doubts,
    answerFacts: await creationFacts(creations, readWhenNeeded(deps, signal).templates),
    titleOf: titlesIn(catalogue),
  });
  const sending = sentence`${counted(open.length, 'channel')} to be created`;
  return {
    ...plan,
    preview: { ...preview, ...carryOnTexts(record.intent, sentence`${done} of ${record.items.length} done, ${sending}`) },
    resumes: changeId,
    epoch: record.epoch,
  };
}

const MAX_DOUBTS = 20;

function resolvedIn({ after }: ItemState): ResolvedChannel {
  const { name = '', videoKeys = [], ...values } = after;
  return { ...pickFields(values, CREATABLE), name, videoKeys };
}
