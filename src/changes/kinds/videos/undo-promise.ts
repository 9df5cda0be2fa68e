import { type Sentence, sentence } from '../../../text/sentence.ts';
import { type Facts, type MoveFacts, moveIn, type ProjectShare } from '../../plan/facts.ts';
import { videosText } from '../../plan/list-text.ts';
import type { Undo } from '../../plan/preview.ts';
import type { UndoablePlan } from '../kind.ts';

/** Whether and how a move, or the undo of one, can be undone once it is done. */
export function undoOfMoves({ facts, resumes }: Pick<UndoablePlan, 'facts' | 'resumes'>): Undo {
  const move = moveIn(facts);
  if (move === undefined) return { possible: 'no', how: NO_ORIGIN.before };
  const { possible, how } = 'undoes' in facts ? undoOfUndo(move) : undoOfMove(move);
  return {
    possible,
    how: resumes === undefined || possible === 'no' ? how : sentence`${how} That goes for the whole change: what was moved before, too.`,
  };
}

/** Why it can’t be undone, where it was not said where its videos were. */
export const lacksOrigin = (facts: Facts): Sentence | undefined => (moveIn(facts)?.fromProjects.length === 0 ? NO_ORIGIN.after : undefined);

const NO_ORIGIN = {
  before: sentence`It can’t be undone, since it was not said in which project the videos are now. With that named, it can be.`,
  after: sentence`It can’t be undone, since it was not said in which project the videos were before.`,
} as const;

function undoOfMove({ fromProjects, targetProjects }: MoveFacts): Undo {
  if (fromProjects.length === 0) return { possible: 'no', how: NO_ORIGIN.before };
  const unknown = videosIn(targetProjects) - videosIn(fromProjects);
  const [only, ...others] = fromProjects.filter(({ id, count }) => count > 0 && id !== targetProjects[0]?.id);
  if (only === undefined)
    return { possible: 'no', how: sentence`There is nothing that an undo could move back: no video is known to come from elsewhere.` };
  const where = others.length === 0 ? only.label : 'where the file says that each was';
  const rest =
    unknown === 0
      ? ''
      : sentence` ${videosText(unknown)} ${unknown === 1 ? 'stays' : 'stay'}, since where ${unknown === 1 ? 'it comes' : 'they come'} from is not known.`;
  const how = sentence`An undo moves what was moved, or may have been, back to ${where}, and nothing else.${rest}`;
  return { possible: unknown === 0 ? 'yes' : 'partly', how };
}

/**
 * Whether a move can be undone, where its videos go then and on whose word that rests: all that a person is told of it. Undefined where nothing of
 * it can be, or nobody’s word counts.
 */
export function undoByWord({ facts, resumes }: Pick<UndoablePlan, 'facts' | 'resumes'>): Sentence | undefined {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const [only, ...others] = fromProjects.filter(({ id, count }) => count > 0 && id !== targetProjects[0]?.id);
  if (only === undefined || 'undoes' in facts) return undefined;
  const where =
    others.length === 0
      ? sentence`${only.label}. That they come from there was only said; nobody checked it.`
      : sentence`the projects that the file names; nobody checked those.`;
  const together = resumes === undefined ? '' : ', with what was moved before';
  const unknown = videosIn(targetProjects) - videosIn(fromProjects);
  return unknown === 0
    ? sentence`This can be undone${together}: the videos go back to ${where}`
    : sentence`This can be undone${together}, except for ${videosText(unknown)} of which nobody said where ${unknown === 1 ? 'it is: it stays' : 'they are: they stay'}. The others go back to ${where}`;
}

const videosIn = (projects: readonly ProjectShare[]): number => projects.reduce((sum, { count }) => sum + count, 0);

function undoOfUndo({ fromProjects: [only, ...others] }: MoveFacts): Undo {
  const where = others.length === 0 ? (only?.label ?? sentence``) : sentence`the ${others.length + 1} projects`;
  return { possible: 'yes', how: sentence`An undo of this moves them to ${where} again.` };
}
