import * as z from 'zod';
import { diskError } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { sentenceOut } from './answer-schema.ts';
import { renderAnswer } from './render-answer.ts';
import { type SanitizedAnswer, sanitizeAnswer } from './sanitize-answer.ts';

const MAX_FIELDS = 40;

const OUTCOMES = {
  'nothing-sent': sentence`No change was sent to the service; nothing was changed.`,
  'not-done': sentence`The service did not do it.`,
  'not-known': sentence`Whether the service did it is not known.`,
} as const;

type Effect = 'read' | 'change';

/** Whether anything was changed; a read never changes anything. */
function outcomeOf({ facts }: VideoHostingError, effect: Effect): Sentence | undefined {
  if (effect === 'read') return sentence`Nothing was changed.`;
  // A change reads before it sends anything: if a read failed, nothing was sent.
  if (facts.isChange === false) return OUTCOMES['nothing-sent'];
  return facts.outcome === undefined ? undefined : OUTCOMES[facts.outcome];
}

/** An error as an answer has it. */
export const errorOutput = {
  message: sentenceOut(),
  /** Each wrong field. */
  problems: z.array(sentenceOut({ mark: '- ' })).optional(),
  /** Whether anything was changed. */
  outcome: sentenceOut().optional(),
  /** What to do next. */
  hint: sentenceOut({ mark: 'Next: ' }),
};
const ErrorOut = z.object(errorOutput);

export function errorOut(error: VideoHostingError, effect: Effect): SanitizedAnswer<z.input<typeof ErrorOut>> {
  const { fields = [] } = error.facts;
  // The message has a single problem already.
  const shown = fields.length === 1 ? [] : fields.slice(0, MAX_FIELDS);
  const problems = [
    ...shown.map(({ field, problem }) => sentence`${field}: ${problem}`),
    ...(fields.length > MAX_FIELDS
      ? [sentence`and ${fields.slice(MAX_FIELDS).reduce((total, { count = 1 }) => total + count, 0)} more`]
      : []),
  ];
  return sanitizeAnswer(ErrorOut, {
    message: error.message,
    problems: problems.length === 0 ? undefined : problems,
    outcome: outcomeOf(error, effect),
    hint: error.hintForCaller,
  });
}

/** The text of an error, for the model. */
export const errorText = (error: VideoHostingError, effect: Effect): string => renderAnswer(ErrorOut, errorOut(error, effect));

/**
 * Converts what was thrown into the one error class, and logs it in full. A disk error tells the user what to correct; any
 * other is a defect of this server, shown as one neutral sentence.
 */
export function asVideoHostingError(thrown: unknown, log: (message: string) => void): VideoHostingError {
  if (thrown instanceof VideoHostingError) return thrown;
  log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  return diskError(thrown) ?? new VideoHostingError('internal', 'This server failed on that call.');
}
