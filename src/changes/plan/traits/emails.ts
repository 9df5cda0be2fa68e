import * as z from 'zod';
import { answerFacts } from '../answer-facts.ts';
import type { KindTraits } from './kind-traits.ts';

const EMAILS = { record: 'list of emails', facts: z.object(answerFacts), isLocal: true } satisfies Partial<KindTraits>;

export const EMAIL_TRAITS = {
  export_emails: { ...EMAILS, words: { action: () => 'Write the file' } },
  show_emails: { ...EMAILS, words: { action: () => 'Show them to the assistant' }, isForItsCall: true },
} satisfies Record<string, KindTraits>;
