import * as z from 'zod';
import { sentence } from '../../../text/sentence.ts';
import { answerFacts, creationFacts } from '../answer-facts.ts';
import type { KindTraits } from './kind-traits.ts';

export const CHANNEL_TRAITS = {
  update_channels: {
    record: 'channel',
    words: { action: (channels) => `Change ${channels}`, done: sentence`changed` },
    facts: z.object(answerFacts),
    channels: 'update',
  },
  create_channels: {
    record: 'channel',
    words: { action: (channels) => `Create ${channels}`, done: sentence`created` },
    facts: creationFacts,
    isNew: true,
    beginsAlone: true,
  },
  state_contents: {
    record: 'channel',
    words: {
      action: () => 'Record it',
      allDone: (total, label) =>
        sentence`What ${total === 1 ? sentence`${label} holds` : sentence`${total} channels hold`} was recorded, as stated. Nothing in the account was changed.`,
    },
    facts: z.object(answerFacts),
    channels: 'statement',
    isLocal: true,
  },
} satisfies Record<string, KindTraits>;
