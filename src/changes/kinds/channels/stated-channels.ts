import { CONTENTS, type ContentLists, type ListName } from '../../../account/contents.ts';
import { invalidArguments, withName } from '../../../errors/field-problems.ts';
import { type FieldProblem, VideoHostingError } from '../../../errors.ts';
import type { IdList } from '../../../files/id-list.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../../text/sentence.ts';
import { wordsFor } from '../../plan/channel-fields.ts';
import { FILE_LIST, type ListFiles } from './list-files.ts';
import { argumentProblems } from './resolve-references.ts';

/** What one channel holds, as a person states it. */
export interface StatedChannel extends ContentLists {
  /** Id, key or exact name. The entries of its lists are named so too, videos also by title. */
  readonly channel: string;
}

/** The arguments of `state_contents`. */
export interface StatementInput {
  readonly channels?: readonly StatedChannel[] | undefined;
  /** Gives the videos: of each channel in it, or of the only one in `channels`. */
  readonly file?: string | undefined;
}

const MAX_CHANNELS = 2_000;

/** A statement with the fields that it came from. */
export type StatedInCall = StatedChannel & {
  readonly field: Sentence;
  readonly fieldOf: (list: ListName) => Sentence;
  /** The file whose list is its own, of the list that a file can give. */
  readonly file?: string;
  /** Its channel too. */
  readonly isNamedThere?: boolean;
};

/** What is stated, as far as it can be told, with what is wrong in the arguments; `refused` is the error of the file. */
export interface Statements {
  readonly given: readonly StatedInCall[];
  readonly problems: readonly FieldProblem[];
  readonly refused?: VideoHostingError;
}

/** The statements of the arguments; a file adds the videos, and channels. */
export async function statementsIn({ channels = [], file }: StatementInput, files: ListFiles): Promise<Statements> {
  const named = channels.map((channel, index) => {
    const path = sentence`channels[${index}]`;
    return { ...channel, field: sentence`${path}.channel`, fieldOf: (list: ListName) => sentence`${path}.${list}` };
  });
  if (file === undefined) {
    if (named.length === 0)
      throw invalidArguments([{ field: sentence`channels`, problem: sentence`${files.areTaken ? 'or file ' : ''}must be given.` }]);
    const empty = named.filter(isEmpty);
    const wanted = [...CONTENTS, ...(files.areTaken ? (['a file'] as const) : [])];
    return { given: named, problems: empty.flatMap(problemWith(sentence`states nothing: give ${joined(wanted, ' or ')}.`)) };
  }
  const twice = named
    .filter((stated) => stated[FILE_LIST] !== undefined)
    .flatMap(problemWith(sentence`has ${FILE_LIST}, and a file is given too: give the ${wordsFor([FILE_LIST])} in one of them.`));
  try {
    const { given, problems } = withFile(named, file, await files.read(file, sentence`file`));
    return { given, problems: [...twice, ...problems] };
  } catch (refused) {
    const problems = [...twice, ...argumentProblems(refused)];
    return { given: named, problems, ...(refused instanceof VideoHostingError ? { refused } : {}) };
  }
}

const isEmpty = (stated: StatedChannel): boolean => CONTENTS.every((list) => stated[list] === undefined);

/** The statements with the lists of a file. */
function withFile(named: readonly StatedInCall[], file: string, { values, groups }: IdList): Statements {
  if (groups === undefined) {
    const [only, ...more] = named;
    if (only !== undefined && more.length === 0)
      return {
        given: [{ ...only, [FILE_LIST]: values, file, fieldOf: (list) => (list === FILE_LIST ? sentence`file` : only.fieldOf(list)) }],
        problems: [],
      };
    const problem = sentence`has no column "channel", so it is the list of one channel: name that one in channels (${named.length} are named).`;
    return { given: named, problems: [{ field: sentence`file`, problem }] };
  }
  const idle = named.filter(isEmpty).flatMap(
    problemWith(
      sentence`the file names its channels itself: leave this out, or give ${joined(
        CONTENTS.filter((list) => list !== FILE_LIST),
        ' or ',
      )} with it.`,
    ),
  );
  if (groups.size > MAX_CHANNELS) {
    const problem = sentence`names ${groups.size} channels; at most ${MAX_CHANNELS} go into one call.`;
    return { given: named, problems: [...idle, { field: sentence`file`, problem }] };
  }
  const inFile = [...groups].map(([channel, values]) => {
    const field = sentence`file (channel ${inQuotes(channel, 80)})`;
    return { channel, [FILE_LIST]: values, field, fieldOf: () => field, file, isNamedThere: true };
  });
  return { given: [...inFile, ...named], problems: idle };
}

const problemWith =
  (problem: Sentence) =>
  ({ channel, field }: StatedInCall): FieldProblem[] =>
    withName(cleanText(channel, 120), [{ field, problem }]);
