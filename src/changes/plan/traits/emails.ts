import * as z from 'zod';
import { HOUR_MS } from '../../../platform/time-units.ts';
import { answerFacts } from '../answer-facts.ts';
import type { KindTraits } from './kind-traits.ts';

/** For so long after it was written, a file is there to be downloaded by who asked and who approved. */
export const DOWNLOAD_HOURS = 24;

/** `channel`: the id of the one whose emails they are, where that was named. */
const facts = z.object({ ...answerFacts, channel: z.string().optional().catch(undefined) });
const EMAILS = { record: 'list of emails', facts, isLocal: true } satisfies Partial<KindTraits>;

export const EMAIL_TRAITS = {
  export_emails: { ...EMAILS, words: { action: () => 'Write the file' }, waitsAtMostMs: HOUR_MS },
  show_emails: { ...EMAILS, words: { action: () => 'Show them to the assistant' }, isForItsCall: true },
} satisfies Record<string, KindTraits>;
