import { invalidArguments } from '../../errors/field-problems.ts';
import type { FieldProblem } from '../../errors.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { fromLocal, toLocal, zoneName } from '../../platform/time-zones.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Span } from '../contract.ts';
import { dayOf, dayText } from './calendar.ts';
import { type CalendarUnit, isProblem, readTerm, type Term, type TermProblem } from './terms.ts';
import { zonedText, zoneProblem } from './zones.ts';

export interface ResolvedSpan extends Span {
  readonly zone: string;
  /** It ends now, and no other end was given. */
  readonly isOpen: boolean;
  /** The calendar period that `from` names: `last month`, `2026-W09`. */
  readonly named?: CalendarUnit;
}

export interface SpanQuery {
  readonly from: string;
  readonly to?: string | undefined;
  readonly timezone?: string | undefined;
}

const MAX_YEARS = 50;
const MAX_NAMED = 10;
export const DEFAULT_ZONE = 'UTC';

/**
 * Resolves `from` and `to`. A date or period is included whole at both ends; a time is exact, and `to` is then exclusive.
 * Without `to`, a period that is over ends with itself and everything else ends now. Throws `invalid_arguments` with every
 * wrong field.
 */
export function resolveSpan({ from, to, timezone = DEFAULT_ZONE }: SpanQuery, now: number): ResolvedSpan {
  const wrongZone = zoneProblem(timezone);
  // Dates are checked even if the zone is unknown.
  const zone = wrongZone === undefined ? timezone : DEFAULT_ZONE;
  const localNow = toLocal(zone, now);
  const start = readTerm(from, localNow);
  const end = to === undefined ? undefined : readTerm(to, localNow);
  const problems: FieldProblem[] = [
    ...(wrongZone === undefined ? [] : [{ field: sentence`timezone`, problem: wrongZone }]),
    ...(isProblem(start) ? [{ field: sentence`from`, problem: start.problem }] : []),
    ...(end !== undefined && isProblem(end) ? [{ field: sentence`to`, problem: end.problem }] : []),
    ...(end !== undefined && isLength(end)
      ? [{ field: sentence`to`, problem: sentence`a length counts back from now, so it can only be from; leave to out, or name a date.` }]
      : []),
  ];
  if (problems.length > 0 || isProblem(start) || (end !== undefined && isProblem(end))) throw invalidArguments(problems);
  const around = { zone, now };
  const fromMs = startOf(start, around);
  const { toMs, isOpen } = end === undefined ? defaultEnd(start, fromMs, around) : { toMs: endOf(end, around), isOpen: end.kind === 'now' };
  const wrong = orderProblem({ fromMs, toMs }, end === undefined, zone);
  if (wrong !== undefined) throw invalidArguments([wrong]);
  const named = start.kind === 'days' && !start.plain && end === undefined ? start.named : undefined;
  return { fromMs, toMs, zone, isOpen, ...(named === undefined ? {} : { named }) };
}

const isLength = (term: Term | TermProblem): boolean =>
  !isProblem(term) &&
  (term.kind === 'hours' || (term.kind === 'days' && !term.plain && term.named?.unit === 'day' && term.named.count > 1));

interface Around {
  readonly zone: string;
  readonly now: number;
}

function startOf(term: Term, { zone, now }: Around): number {
  if (term.kind === 'days') return fromLocal(zone, term.fromDay * DAY_MS);
  if (term.kind === 'hours') return now - term.hours * HOUR_MS;
  return term.kind === 'now' ? now : momentOf(term, zone);
}

function endOf(term: Term, { zone, now }: Around): number {
  if (term.kind === 'days') return fromLocal(zone, term.endDay * DAY_MS);
  return term.kind === 'moment' ? momentOf(term, zone) : now;
}

const momentOf = ({ ms, isLocal }: { ms: number; isLocal: boolean }, zone: string): number => (isLocal ? fromLocal(zone, ms) : ms);

function defaultEnd(term: Term, fromMs: number, around: Around): { toMs: number; isOpen: boolean } {
  if (term.kind !== 'days' || term.plain) return { toMs: around.now, isOpen: true };
  const end = endOf(term, around);
  return end > around.now && fromMs < around.now ? { toMs: around.now, isOpen: true } : { toMs: end, isOpen: false };
}

function orderProblem({ fromMs, toMs }: Span, endsNow: boolean, zone: string): FieldProblem | undefined {
  const start = zonedText(zone, fromMs);
  const end = zonedText(zone, toMs);
  if (fromMs >= toMs)
    return endsNow
      ? { field: sentence`from`, problem: sentence`${start} is not before now, ${end}; state to as well if a later span is meant.` }
      : {
          field: sentence`to`,
          problem:
            start === end
              ? sentence`must be after from, and ends where that begins, at ${start}: between them is no time in this zone.`
              : sentence`${end} (not included) must be after from, ${start}.`,
        };
  return toMs - fromMs > MAX_YEARS * 366 * DAY_MS
    ? { field: sentence`to`, problem: sentence`a span may be at most ${MAX_YEARS} years long.` }
    : undefined;
}

const isDayStart = (zone: string, ms: number): boolean => ms === fromLocal(zone, dayOf(toLocal(zone, ms)) * DAY_MS);
const dayAt = (zone: string, ms: number): string => dayText(dayOf(toLocal(zone, ms)));

/** A span as an argument has it: its days, both included, where it is whole days; else its moments. */
export function askedAs({ fromMs, toMs, zone }: ResolvedSpan): { readonly from: string; readonly to: string; readonly timezone: string } {
  const isDays = isDayStart(zone, fromMs) && isDayStart(zone, toMs);
  const [from, to] = isDays ? [dayAt(zone, fromMs), dayAt(zone, toMs - 1)] : [zonedText(zone, fromMs), zonedText(zone, toMs)];
  return { from, to, timezone: zone };
}

export const spanText = (span: ResolvedSpan): Sentence => sentence`${rangeText(span, span.zone, span.isOpen)} (${zoneName(span.zone)})`;

/** Several spans as they would be asked for: days are included, a moment after "until" is not. */
export function spansText(spans: readonly Span[], zone = 'UTC'): Sentence {
  const words = spans.slice(0, MAX_NAMED).map((span) => rangeText(span, zone));
  const more = spans.length > MAX_NAMED ? sentence` and ${spans.length - MAX_NAMED} more spans` : sentence``;
  return sentence`${joined(words, ', ')}${more}${zone === 'UTC' ? '' : sentence` in ${zoneName(zone)}`}`;
}

function rangeText({ fromMs, toMs }: Span, zone: string, isOpen = false): Sentence {
  const [startsDay, first, last] = [isDayStart(zone, fromMs), dayAt(zone, fromMs), dayAt(zone, toMs - 1)];
  if (startsDay && isDayStart(zone, toMs)) return first === last ? word(first) : sentence`${word(first)} to ${word(last)}`;
  return sentence`${startsDay ? word(first) : zonedText(zone, fromMs)} until ${isOpen ? 'now, ' : ''}${zonedText(zone, toMs)}`;
}
