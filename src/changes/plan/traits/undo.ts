import * as z from 'zod';
import { sentence } from '../../../text/sentence.ts';
import { answerFacts, idFacts } from '../answer-facts.ts';
import type { KindTraits } from './kind-traits.ts';
import { MOVE, Move } from './videos.ts';

export const UNDO_TRAITS = {
  undo_change: {
    record: 'channel',
    words: {
      action: (records, isOfMany) => `${isOfMany ? 'Move' : 'Set'} ${records} back`,
      done: sentence`set back`,
      doneOfMany: sentence`moved back`,
    },
    facts: z.object({
      ...answerFacts,
      undoes: idFacts,
      /** The parts that are set back, where those are not all. */
      only: idFacts.optional(),
      /** The ids of the channels that are set back, where others are left that could be. */
      channels: idFacts.optional(),
      /** Of the undo of a move. */
      move: Move.optional(),
    }),
    channels: 'update',
    ofMany: MOVE,
  },
} satisfies Record<string, KindTraits>;
