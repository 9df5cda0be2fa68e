import type { ChangeRecord } from '../changes/journal/change-record.ts';

// The fields that the answers about changes of every kind share.

type Values = Readonly<Record<string, unknown>>;
type Intent = ChangeRecord['intent'];

/** Warnings in the answer to a confirmed change; its resource has all of them. */
const MAX_WARNINGS = 10;

/** How a change was confirmed, and what the user was shown where the assistant saw no preview. */
export function agreedOut({ confirmedBy, warnings }: Intent): Values {
  const shown = confirmedBy === 'token' || warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS) };
  return { confirmed: confirmedOut(confirmedBy), ...shown };
}

export function confirmedOut(by: Intent['confirmedBy']): string {
  return {
    form: 'The user agreed in a form.',
    page: 'The user agreed on the approval page.',
    token: 'Confirmed by token, after a preview.',
    never: 'Not confirmed: VIDEO_HOSTING_CONFIRM is never.',
  }[by];
}

/** The values before and after, where there are any. */
export function sidesOut(before: readonly Values[], after: readonly Values[]): Values {
  return { ...(before.length === 0 ? {} : { before }), ...(after.length === 0 ? {} : { after }) };
}

/** The lists of a change whose entries each have a reason. */
const WITH_REASONS = ['failed', 'unknown', 'notDone', 'remarks'] as const;

/** A result that gives each reason once: an entry with the reason of the one above it says so. */
export function withReasonsOnce(result: Values): Values {
  const lists = WITH_REASONS.flatMap((name) => {
    const entries = result[name];
    // Made by `changeResult` or `pageOfChange`.
    return Array.isArray(entries) ? [[name, reasonsOnce(entries as readonly WithReason[])] as const] : [];
  });
  return { ...result, ...Object.fromEntries(lists) };
}

type WithReason = { readonly reason?: string };

function reasonsOnce(entries: readonly WithReason[]): WithReason[] {
  const byReason = new Map<string | undefined, WithReason[]>();
  for (const entry of entries) byReason.set(entry.reason, [...(byReason.get(entry.reason) ?? []), entry]);
  return [...byReason.values()].flatMap(([first = {}, ...others]) => [
    first,
    ...others.map((entry) => (entry.reason === undefined ? entry : { ...entry, reason: AS_ABOVE })),
  ]);
}

const AS_ABOVE = 'as above';
