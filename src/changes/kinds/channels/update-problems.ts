import { MAX_VIEW_SEARCHES } from '../../../account/viewed-videos.ts';
import { ERRORS } from '../../../errors/codes.ts';
import { invalidArguments, withName } from '../../../errors/field-problems.ts';
import { type FieldProblem, VideoHostingError } from '../../../errors.ts';
import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import { listed } from '../../plan/notice.ts';

/** The problems of one change, or of a part of it. */
export interface ChangeProblems {
  /** The channel's name, as found or as given; cleaned. */
  readonly name: string;
  readonly problems: readonly FieldProblem[];
  /** The service's answer for a channel that the list shows and that can't be read by itself. */
  readonly refusal?: VideoHostingError;
  /** Of a channel with unknown contents: how much of them, and what its views show. */
  readonly unknown?: { readonly what: 'in part' | 'all'; readonly viewed: Sentence };
}

const UNKNOWN = sentence`The service does not tell, and this server neither wrote it last nor was told what it holds now. An update replaces the whole list, also for a mere rename, so it would be emptied.`;

/** One error for all problems, with what they mean for the channels that nothing is wrong with. A reason that several channels share is given once. */
export function problemsError(all: readonly ChangeProblems[], others: readonly Sentence[]): VideoHostingError {
  const error = errorOf(all);
  if (others.length === 0) return error;
  const [only, ...more] = others;
  const which = more.length === 0 ? sentence`${only ?? ''} is` : sentence`${listed(others, MAX_OTHERS)} are`;
  return new VideoHostingError(error.code, error.message, {
    facts: error.facts,
    hint: sentence`${error.hint} Nothing was sent for any channel of the call; ${which} as the call takes ${more.length === 0 ? 'it' : 'them'}, and can be sent unchanged in a call without the others.`,
    cause: error.cause,
  });
}

/** Channels in one sentence. */
const MAX_OTHERS = 10;

function errorOf(all: readonly ChangeProblems[]): VideoHostingError {
  const unknown = all.flatMap((one) => one.unknown ?? []);
  const isOne = unknown.length === 1;
  const reported = new Set<string>();
  function isRepeated({ field, isForAll }: FieldProblem): boolean {
    const isAgain = isForAll === true && reported.has(field);
    reported.add(field);
    return isAgain;
  }
  const fields = all.flatMap(({ name, problems, unknown }) => {
    const reason = isOne && unknown?.what === 'all' ? sentence` ${UNKNOWN}` : sentence``;
    return withName(
      name,
      problems.filter((one) => !isRepeated(one)),
    ).map(({ problem, ...more }) => ({ ...more, problem: sentence`${problem}${reason}${unknown?.viewed ?? ''}` }));
  });
  const refusals = all.flatMap(({ refusal, problems }) => (refusal !== undefined && problems.length === 1 ? [refusal] : []));
  const facts = { fields, outcome: 'nothing-sent' } as const;
  if (refusals[0] !== undefined && refusals.length === all.length) {
    const { code, facts: given, hint } = refusals[0];
    const message = oneOr(fields, sentence`${fields.length} of the channels can’t be read by themselves.`);
    return new VideoHostingError(code, message, { facts: { ...given, ...facts }, hint });
  }
  const invalid = invalidArguments(fields);
  if (unknown.length === 0) return invalid;
  const unsearched =
    unknown.length > MAX_VIEW_SEARCHES
      ? ` Views were looked through for the first ${MAX_VIEW_SEARCHES} of these channels only; name fewer to see more.`
      : '';
  const hint = sentence`${ERRORS.contents_unknown.hint}${unsearched}`;
  if (unknown.length < all.length)
    return new VideoHostingError('invalid_arguments', invalid.message, {
      facts: invalid.facts,
      hint: sentence`Correct the other fields. What a channel holds can’t be corrected by you. ${hint}`,
    });
  const reasons = unknown.some(({ what }) => what === 'all') ? [UNKNOWN] : [];
  const message = oneOr(fields, joined([sentence`What ${fields.length} channels hold is not known, so they are left alone.`, ...reasons]));
  return new VideoHostingError('contents_unknown', message, { facts, hint });
}

function oneOr(fields: readonly FieldProblem[], summary: Sentence): Sentence {
  const [first, ...more] = fields;
  return first === undefined || more.length > 0 ? summary : sentence`${first.field}: ${first.problem}`;
}
