import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { isNotice, type Notice } from '../../notices/notices.ts';
import { copyIn, moveIn } from '../../plan/facts.ts';
import type { ChangePlan } from '../../plan/plan.ts';
import type { Rule } from '../../standing/rules.ts';
import { areNamed, coverableShares, type Shares, shareOfIds } from '../shares.ts';

/** What of a move a standing approval can cover. */
export const sharesOfMove = (plan: ChangePlan): Shares => coverableShares(plan, { as: 'move', parts: moveParts, blocked: lacksOriginOf });

/** The part of a move, or of the undo of one, that a rule for moves covers. */
export function moveParts(plan: ChangePlan): Shares {
  const targets = moveIn(plan.facts)?.targetProjects ?? [];
  const labels = targets.map(({ label }) => label);
  const names = new Map(targets.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
  const ids = targets.map(({ id }) => id);
  const isUnder = (rule: Rule) => 'to' in rule && areNamed(ids, rule.to);
  return shareOfIds(plan, { rule: 'move_videos', isUnder, words: sentence`a move into ${joined(labels, ', ')}`, names });
}

/** What of a copy a standing approval can cover. */
export const sharesOfCopy = (plan: ChangePlan): Shares => coverableShares(plan, { as: 'copy', parts: copyParts });

function copyParts(plan: ChangePlan): Shares {
  const source = copyIn(plan.facts)?.source ?? '';
  const isUnder = (rule: Rule) => 'from' in rule && areNamed([source], rule.from);
  return shareOfIds(plan, { rule: 'copy_cta', isUnder, words: sentence`a copy of the CTAs of ${word(source)}` });
}

const isOriginUnsaid = isNotice('no_undo', 'origin_not_named', 'origin_column');
const isOriginOther = isNotice('moved_elsewhere');

/** Why a move is not covered, where that is for what it says of where its videos are, and what it lacks. */
function lacksOriginOf(blocking: readonly Notice[]) {
  const never = blocking.slice(0, 1).some(isOriginUnsaid)
    ? sentence`No standing approval covers a move of videos of which it was not said where all of them are now.`
    : undefined;
  return { never, lacks: lackingOrigin(blocking) };
}

/** What a move lacks that is not covered only for what it says, or does not say, of where its videos are; undefined of any other. */
function lackingOrigin(blocking: readonly Notice[]): Sentence | undefined {
  if (!blocking.every((notice) => isOriginUnsaid(notice) || isOriginOther(notice))) return undefined;
  const columns = blocking.filter(isNotice('origin_column')).filter(({ blank }) => blank === 0);
  if (columns.length > 0) {
    const named = joined(
      columns.map(({ column }) => column),
      ' or ',
    );
    return sentence`With fromProjectColumn ${named} it would be covered. If that column says where they are now, make the call again with it.`;
  }
  if (blocking.some(isOriginOther))
    return sentence`With the project where they are now as their fromProject it would be covered. If it is that one, make the call again with it.`;
  return sentence`With the project where each of them is now as its fromProject it would be covered. If it is known, and not guessed, make the call again with it.`;
}
