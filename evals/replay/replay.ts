import { mapTexts } from '../play/canonical.ts';
import type { Arguments, Counts, Recording, Turn } from '../play/recording.ts';
import { type Session, startSession } from '../play/session.ts';
import type { Surface } from '../play/surface.ts';
import { taskNamed } from '../tasks/index.ts';
import { lineDiff } from './diff.ts';

/** A part of a run that is not as recorded, such as an answer of a tool, by its lines that differ. */
export interface Difference {
  readonly what: string;
  readonly lines: readonly string[];
}

export interface Replayed {
  readonly recording: Recording;
  readonly surface: Surface;
  /** Where this run is not as recorded. */
  readonly drift: readonly Difference[];
  readonly verdictChanged: boolean;
}

/** The recorded turns can't be played: an answer no longer has what a later call was made of, or the task is not there. */
export class Miss extends Error {}

/** Plays the recorded turns of an assistant against the server as it is now. */
export async function replay(recorded: Recording): Promise<Replayed> {
  const { task, server, era, forms } = recorded;
  const session = await startSession(taskNamed(task), { server, era, forms });
  try {
    const again = await playTurns(session, recorded.turns);
    const drift = driftOf(recorded, again);
    const verdictChanged = JSON.stringify(recorded.verdict) !== JSON.stringify(again.verdict);
    return { recording: again, surface: session.surface, drift, verdictChanged };
  } finally {
    await session.close();
  }
}

async function playTurns(session: Session, turns: readonly Turn[]): Promise<Recording> {
  const real = (text: string, index: number): string => {
    try {
      return session.canonical.toReal(text);
    } catch (error) {
      throw new Miss(`Turn ${index + 1} can’t be played. ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const summaries = new Map<unknown, Summaries>();
  for (const [index, turn] of turns.entries()) {
    // What an assistant only said depends on no value.
    if ('final' in turn) return session.finish(session.canonical.toRealWhereKnown(turn.final));
    if ('said' in turn) session.next(session.canonical.toRealWhereKnown(turn.said));
    else if ('ask' in turn) session.ask(session.canonical.toRealWhereKnown(turn.ask));
    else {
      // It has the shape of what it is made from.
      const args = mapTexts(turn.arguments, (text) => real(text, index)) as Arguments;
      const { text } = await session.call(turn.call, { ...args, ...summaryNow(turn.arguments, summaries) });
      const [[, was], [, token], [, is]] = [SUMMARY.exec(turn.answer) ?? [], TOKEN.exec(turn.answer) ?? [], SUMMARY.exec(text) ?? []];
      if (was !== undefined && is !== undefined) summaries.set(token, { was, is });
    }
  }
  throw new Miss('The recording has no final answer.');
}

/** The summary of a preview, as recorded and as it is now. */
interface Summaries {
  readonly was: string;
  readonly is: string;
}

const SUMMARY = /^ *summary: (.*)$/m;
const TOKEN = /^ *(?:.*, )?confirmationToken: (.+)$/m;

/** An assistant that copied the summary of its preview copies the one of today. */
function summaryNow({ confirmationToken, summary }: Arguments, summaries: ReadonlyMap<unknown, Summaries>): Arguments {
  const shown = summaries.get(confirmationToken);
  return shown !== undefined && shown.was === summary ? { summary: shown.is } : {};
}

function driftOf(before: Recording, after: Recording): Difference[] {
  const compared = [
    { what: 'the user’s words', was: before.says, is: after.says },
    ...before.turns.map((turn, index) => ({ what: turnName(turn), was: turnText(turn), is: turnText(after.turns[index]) })),
    { what: 'counts', was: countsText(before.counts), is: countsText(after.counts) },
    { what: 'verdict', was: JSON.stringify(before.verdict, null, 1), is: JSON.stringify(after.verdict, null, 1) },
  ];
  return compared.filter((part) => !isSame(part)).map(({ what, was, is }) => ({ what, lines: lineDiff(was, is) }));
}

/** Rows of SQL come in any order where the assistant asked for none, and so do the parts of what it strung together. */
function isSame({ what, was, is }: { readonly what: string; readonly was: string; readonly is: string }): boolean {
  if (was === is) return true;
  const words = (text: string): string =>
    text
      .split(/[\s"]+/)
      .toSorted()
      .join(' ');
  return what === 'run_analytics_sql' && words(was) === words(is);
}

function turnName(turn: Turn): string {
  if ('call' in turn) return turn.call;
  if ('said' in turn) return 'what the user said next';
  return 'ask' in turn ? 'a question' : 'the final answer';
}

/** All of a turn that the server or the user answered. */
function turnText(turn: Turn | undefined): string {
  if (turn === undefined) return '';
  if ('final' in turn) return turn.final;
  if ('said' in turn) return turn.next;
  if ('ask' in turn) return turn.reply;
  const forms = (turn.forms ?? []).map(({ shown, decision }) => `form: ${shown}\n${decision === true ? 'agreed' : decision}`);
  return [...forms, turn.isError === true ? 'error' : 'ok', isUnordered(turn) ? '' : turn.answer].join('\n');
}

/** Whether which rows an answer has room for, or what they hold, depends on an order that the SQL leaves open. */
const isUnordered = ({ call, arguments: { sql } }: Extract<Turn, { readonly call: string }>): boolean =>
  call === 'run_analytics_sql' &&
  typeof sql === 'string' &&
  (!/\border\s+by\b/i.test(sql) || /\b(?:string_agg|group_concat|list|array_agg)\s*\(/i.test(sql));

/** Tokens follow from the texts, which are compared themselves. */
function countsText({ calls, errors, questions }: Counts): string {
  return `calls ${calls}, errors ${errors}, questions ${questions}`;
}
