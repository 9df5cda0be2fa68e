import { sentence } from '../../../text/sentence.ts';
import { creationFacts } from '../answer-facts.ts';
import type { KindTraits } from './kind-traits.ts';

export const PROJECT_TRAITS = {
  create_project: {
    record: 'project',
    words: { action: () => 'Create the project', done: sentence`created` },
    facts: creationFacts,
    isNew: true,
    beginsAlone: true,
  },
} satisfies Record<string, KindTraits>;
