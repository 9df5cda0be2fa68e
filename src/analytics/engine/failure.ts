import type { Failure } from './messages.ts';

/** A stranger's SQL that is not run, or failed; the message is for its author. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What went wrong. DuckDB's errors are told apart by the first words of their messages, which name the kind. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { kind: 'refused', message };
  if (/^(Out of Memory|INTERRUPT) Error/.test(message)) return { kind: 'too_heavy', message };
  if (/^IO Error: (No files found|Cannot open file)/.test(message) && message.includes('.parquet')) return { kind: 'part_gone', message };
  return { kind: 'failed', message };
}
