import type { Arguments, Run, Turn } from '../play/recording.ts';
import { type Finished, type Session, startSession } from '../play/session.ts';
import { taskNamed } from '../tasks/index.ts';

/** The recorded turns can't be played: an answer no longer has what a later call was made of, or the task is not there. */
export class Miss extends Error {}

/** Plays the recorded turns of an assistant against the server as it is now. */
export async function replay({ task, server, era, forms, turns }: Run): Promise<Finished> {
  const session = await startSession(taskNamed(task), { server, era, forms });
  try {
    return await playTurns(session, turns);
  } finally {
    await session.close();
  }
}

async function playTurns(session: Session, turns: readonly Turn[]): Promise<Finished> {
  for (const [index, turn] of turns.entries()) {
    if ('final' in turn) return session.finish(turn.final);
    if ('said' in turn) session.next(turn.said);
    else if ('ask' in turn) session.ask(turn.ask);
    else await session.call(turn.call, argumentsNow(session, turn.arguments, `Turn ${index + 1}, ${turn.call}`));
  }
  throw new Miss('The recording has no final answer.');
}

function argumentsNow({ references }: Session, args: Arguments, turn: string): Arguments {
  try {
    // It has the shape of what it is made from.
    return references.toValues(args) as Arguments;
  } catch (error) {
    throw new Miss(`${turn}, can’t be played: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** What is not as it was when the assistant played, a line each: the verdict, failed calls, and what the user said and pressed. */
export function differences(was: Run, is: Finished): string[] {
  const parts: (readonly [what: string, was: unknown, is: unknown])[] = [
    ['findings', was.verdict.findings, is.verdict.findings],
    ['personal values given', was.verdict.personalValues, is.verdict.personalValues],
    ['calls that fail', was.counts.errors, is.errors],
    ['the user’s wish', was.says, is.says],
    ...was.turns.map((turn, index) => [`the user’s answer in turn ${index + 1}`, ofUser(turn), ofUser(is.turns[index])] as const),
  ];
  const texts = parts.map(([what, ...sides]) => [what, ...sides.map((side) => String(JSON.stringify(side)))] as const);
  return texts.flatMap(([what, one, other]) => (one === other ? [] : [`${what}: ${other}; recorded: ${one}`]));
}

function ofUser(turn: Turn | undefined): unknown {
  if (turn === undefined || 'final' in turn) return undefined;
  if ('said' in turn) return turn.next;
  return 'ask' in turn ? turn.reply : turn.forms;
}
