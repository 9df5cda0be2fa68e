import type { Failure } from './messages.ts';

/** A stranger's SQL that is not run, or failed; the message is for its author. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What went wrong. DuckDB's errors are told apart by the first words of their messages, which name the kind. */
export function failureOf(error: unknown, parts: readonly string[]): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { kind: 'refused', message };
  if (/^(Out of Memory|INTERRUPT) Error/.test(message)) return { kind: 'too_heavy', message };
  const part = unreadablePart(message, parts);
  if (part !== undefined) return { kind: 'part_unreadable', part, message };
  return { kind: 'failed', message };
}

/** The part of which DuckDB says that it isn't there, or no whole Parquet file; any other trouble with a file may pass. */
export function unreadablePart(message: string, parts: readonly string[]): string | undefined {
  if (/\bIO\b/.test(message.slice(0, 40)) && !/No files found|No such file/.test(message)) return undefined;
  return parts.find((part) => message.includes(part));
}
