import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { inQuotes, type Sentence, sentence } from '../text/sentence.ts';

/** One error for all wrong arguments of a call. `hint` is for what can’t be corrected. */
export function invalidArguments(fields: readonly FieldProblem[], hint?: Sentence): VideoHostingError {
  const words =
    fields.length === 1 && fields[0] !== undefined
      ? sentence`${fields[0].field}: ${fields[0].problem}`
      : sentence`${fields.reduce((total, { count = 1 }) => total + count, 0)} arguments are wrong.`;
  return new VideoHostingError('invalid_arguments', words, { facts: { fields, outcome: 'nothing-sent' }, hint });
}

/** Problems whose fields tell the name of what they are about, unless the problem does: `changes[3].name ("Spring")`. */
export function withName(name: string, fields: readonly FieldProblem[]): FieldProblem[] {
  return fields.map(({ field, problem, count, isNamed = false, isForAll = false, missing }) => ({
    field: isNamed || isForAll || name === '' ? field : sentence`${field} (${inQuotes(name, name.length)})`,
    problem,
    ...(count !== undefined && { count }),
    ...(missing !== undefined && { missing }),
  }));
}

/** Runs several checks and throws the problems of all of them at once. */
export async function allOrProblems<T extends readonly (() => unknown)[]>(
  ...checks: T
): Promise<{ -readonly [At in keyof T]: Awaited<ReturnType<T[At]>> }> {
  const results = await Promise.allSettled(checks.map(async (check) => check()));
  const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const other = failures.find((failure) => fieldsOf(failure).length === 0);
  if (other !== undefined) throw other;
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw invalidArguments(failures.flatMap(fieldsOf));
  // The results are in the order of the checks.
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as {
    -readonly [At in keyof T]: Awaited<ReturnType<T[At]>>;
  };
}

function fieldsOf(failure: unknown): readonly FieldProblem[] {
  return failure instanceof VideoHostingError ? (failure.facts.fields ?? []) : [];
}

/** Throws one error for all problems, if there are any. */
export function throwProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidArguments(problems);
}
