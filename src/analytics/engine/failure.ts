import type { Failure } from './contract.ts';

/** A caller's SQL that was not run, or failed. The message is for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** DuckDB's error messages begin with the kind of the error. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { kind: 'refused', message };
  if (/^(Out of Memory|INTERRUPT) Error/.test(message)) return { kind: 'too_heavy', message };
  return { kind: 'failed', message };
}
