import type { Arguments, Counts, Recording, Turn } from '../play/recording.ts';
import { type Session, startSession } from '../play/session.ts';
import type { Surface } from '../play/surface.ts';
import { taskNamed } from '../tasks/index.ts';
import { lineDiff } from './diff.ts';

export interface Replayed {
  readonly recording: Recording;
  readonly surface: Surface;
  /** Where this run is not as recorded, as lines of differences. */
  readonly drift: readonly string[];
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
  for (const [index, turn] of turns.entries()) {
    if ('final' in turn) return session.finish(real(turn.final, index));
    if ('ask' in turn) session.ask(real(turn.ask, index));
    // The recording has an object.
    else await session.call(turn.call, JSON.parse(real(JSON.stringify(turn.arguments), index)) as Arguments);
  }
  throw new Miss('The recording has no final answer.');
}

function driftOf(before: Recording, after: Recording): string[] {
  const drift = before.says === after.says ? [] : ['the user’s words', ...lineDiff(before.says, after.says)];
  for (const [index, turn] of before.turns.entries()) {
    const [was, is] = [turnText(turn), turnText(after.turns[index])];
    if (was !== is) drift.push(`turn ${index + 1}, ${turnName(turn)}`, ...lineDiff(was, is));
  }
  const counts = lineDiff(countsText(before.counts), countsText(after.counts));
  if (counts.length > 0) drift.push('counts', ...counts);
  const verdict = lineDiff(JSON.stringify(before.verdict, null, 1), JSON.stringify(after.verdict, null, 1));
  if (verdict.length > 0) drift.push('verdict', ...verdict);
  return drift;
}

function turnName(turn: Turn): string {
  if ('call' in turn) return turn.call;
  return 'ask' in turn ? 'a question' : 'the final answer';
}

/** All of a turn that the server or the user answered. */
function turnText(turn: Turn | undefined): string {
  if (turn === undefined) return '';
  if ('final' in turn) return turn.final;
  if ('ask' in turn) return turn.reply;
  const forms = (turn.forms ?? []).map(({ shown, decision }) => `form: ${shown}\n${decision === true ? 'agreed' : decision}`);
  return [...forms, turn.isError === true ? 'error' : 'ok', turn.answer].join('\n');
}

/** The tokens of the tools are a matter of the surface, which is compared once. */
function countsText({ calls, errors, questions, tokens }: Counts): string {
  return `calls ${calls}, errors ${errors}, questions ${questions}\ntokens of arguments ${tokens.arguments}\ntokens of answers ${tokens.answers}`;
}
