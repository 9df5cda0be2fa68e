import type { Failure } from './contract.ts';

/** A caller's SQL that was not run, or failed. The message is for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** DuckDB's error messages begin with the kind of the error. */
export function failureOf(error: unknown, parts: readonly string[]): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { kind: 'refused', message };
  if (/^(Out of Memory|INTERRUPT) Error/.test(message)) return { kind: 'too_heavy', message };
  const part = unreadablePart(message, parts);
  if (part !== undefined) return { kind: 'part_unreadable', part, message };
  return { kind: 'failed', message };
}

/** The part that DuckDB reports as missing or damaged. Other failures to open a file may be temporary. */
export function unreadablePart(message: string, parts: readonly string[]): string | undefined {
  if (/\bIO\b/.test(message.slice(0, 40)) && !/No files found|No such file/.test(message)) return undefined;
  return parts.find((part) => message.includes(part));
}
