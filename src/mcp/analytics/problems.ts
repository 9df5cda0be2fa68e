import { type FieldProblem, invalidArguments, VideoHostingError } from '../../errors.ts';

/** Does several checks and throws what all of them found wrong, so that one correction is enough. */
export async function allOrProblems<T extends readonly (() => unknown)[]>(
  ...checks: T
): Promise<{ -readonly [At in keyof T]: Awaited<ReturnType<T[At]>> }> {
  const results = await Promise.allSettled(checks.map(async (check) => check()));
  const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const other = failures.find((failure) => fieldsOf(failure).length === 0);
  if (other !== undefined) throw other;
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw invalidArguments(failures.flatMap(fieldsOf));
  // Each result is that of the check in its place.
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as {
    -readonly [At in keyof T]: Awaited<ReturnType<T[At]>>;
  };
}

function fieldsOf(failure: unknown): readonly FieldProblem[] {
  return failure instanceof VideoHostingError ? (failure.facts.fields ?? []) : [];
}

export function throwProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidArguments(problems);
}
