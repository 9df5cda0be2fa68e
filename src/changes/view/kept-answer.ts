import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { asSentence, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { inTheirWords } from '../confirm/decision.ts';
import type { KeptChange } from '../waiting/kept-change.ts';
import { WAITING_DAYS } from '../waiting/kept-changes.ts';
import { titleOf } from './change-title.ts';
import { previewAnswer } from './preview-answer.ts';

/** What a person calls to decide. */
const WAITING_COMMAND = 'video-hosting-mcp waiting';
const PAGE_COMMAND = 'video-hosting-mcp page';

/** A change that waits on disk for a person, for an assistant. */
export function keptAnswer(change: KeptChange, isNew: boolean, page?: number): Values {
  const { changeId, plan, why, expiresAt } = change;
  const message = [
    sentence`NOT DONE YET. ${keptTitle(change)}`,
    isNew ? sentence`It is kept until a person decides on it.` : sentence`It waits already for a person to decide on it.`,
    why ?? sentence`No one is asked now (VIDEO_HOSTING_CONFIRM is wait), and no standing approvals are set.`,
    ...overtakesText(change),
    sentence`A person decides at a terminal, with: ${WAITING_COMMAND}; or in a browser, with: ${PAGE_COMMAND}. Nobody is asked before that, and it expires on ${timeText(expiresAt)}.`,
    sentence`Do not make the call again, which changes nothing: get_change ${word(changeId)} tells what became of it, stop_change withdraws it.`,
  ];
  const preview = page === undefined ? undefined : previewAnswer(plan.preview, changeId, page);
  return { status: 'waiting', changeId, message: joined(message), ...definedFields({ preview }) };
}

/** A change that waits, or waited and was not begun; with what its plan warned of where that is asked for. */
export function keptResult(change: KeptChange, page?: number): Values & { readonly status: string } {
  const { changeId, status, note } = change;
  if (status === 'waiting') return { ...keptAnswer(change, false, page), status };
  const words = note === '' ? [] : [asSentence(inTheirWords(note))];
  const message = joined([keptTitle(change), ENDED[status], ...words, sentence`Nothing was sent.`]);
  return { status: status === 'started' ? 'failed' : status, changeId, message };
}

const ENDED: Readonly<Record<Exclude<KeptChange['status'], 'waiting'>, Sentence>> = {
  declined: sentence`A person declined it.`,
  expired: sentence`It expired: nobody decided on it in ${WAITING_DAYS} days, which is no refusal. If it is still wanted, make the call again.`,
  withdrawn: sentence`It was withdrawn before a person decided on it.`,
  answered: sentence`The same request was begun otherwise meanwhile.`,
  needless: sentence`When a person looked at it, nothing was left to be done.`,
  // The journal has no such change.
  started: sentence`A person approved it, and the process ended before it was begun. If it is still wanted, make the call again.`,
};

/** What it would do, with the names of its first channels. */
export const keptTitle = ({ plan }: Pick<KeptChange, 'plan'>): Sentence =>
  asSentence(`${titleOf(plan.preview.summary, 'items' in plan ? plan.items : [])}.`);

/** Which older changes it would overtake. */
export const overtakesText = ({ overtakes }: Pick<KeptChange, 'overtakes'>): Sentence[] =>
  overtakes.length === 0
    ? []
    : [
        sentence`It is about records for which an older change waits: approved, it would overtake ${joined(
          overtakes.map((id) => word(id)),
          ', ',
        )}.`,
      ];

/** `2026-11-30 20:15 UTC` */
export const timeText = (ms: number): Sentence => asSentence(`${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`);
