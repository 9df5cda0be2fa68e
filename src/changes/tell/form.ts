import { counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { cutQuoted, cutToColumns, type Row } from '../../text/text-columns.ts';
import { MAX_NAMED_IN_SHORT } from '../notices/channels-told.ts';
import { isAtLeast, isFact, isNotice, type Notice, type Phrase, phrases, roomFor } from '../notices/notices.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { Preview } from '../plan/preview.ts';
import { type Loss, leadRows, lossesIn, lossText, rows, withShortNames } from './form-lead.ts';
import { changesIn, lineText, type PlanLine, planLines, statedIn, wholeTexts } from './plan-lines.ts';
import { byStatement, holdingsText, replacedText, type StatedContents, statedBy } from './stated-text.ts';
import { heldBy, planTotalsText, statedSums, withoutNone } from './totals.ts';

/** What a form shows at once in every client: longer ones lose their top or their bottom, and can still be accepted. */
const MAX_FORM_LINES = 16;
/** Losses, records of which something is stated, and warnings with rows of their own: what else a form shows needs the rest. */
const MAX_NAMED = Math.floor(MAX_FORM_LINES / 5);
/** Of a name beside what it loses. */
const MAX_LABEL = 40;
/** Of a name beside what it holds by what is stated. */
const MAX_STATED_LABEL = 26;
/** A plan with more lines is told in numbers. */
const MAX_DETAILS = Math.floor(MAX_FORM_LINES / 3);
/** Of one line or warning. */
const MAX_ROWS = 3;
/** Of the names of what is created. */
const MAX_NEW = 6;
const MAX_FORM_TITLE = 60;

/**
 * The text of a form: what is done with its totals, what casts doubt on all of it, what is stated of what records hold, the
 * greatest losses by name, what can't be undone, and last what is lost once more.
 */
export const formText = (plan: ShownPlan, changeId: string): string => formOf(plan, changeId).text;

/** The warnings that a form had no room for: whoever answered it was not shown them. */
export const untoldInForm = (plan: ShownPlan): readonly Notice[] => formOf(plan, '').untold;

function formOf(plan: ShownPlan, changeId: string): { readonly text: string; readonly untold: readonly Notice[] } {
  const { preview } = plan;
  const { notices, undo, standing = sentence`` } = preview;
  const lines = planLines(plan);
  const [losses, stated] = [lossesIn(notices), statedIn(lines)];
  const gravest = phrases({ notices: notices.filter(isGravest), undo }, 'short');
  const eachGravest = Math.max(1, Math.floor(MAX_ROWS / Math.max(1, gravest.length)));
  const begin = [...leadRows(plan), ...gravest.flatMap(({ text }) => rows(sentence`! ${text}`, eachGravest))];
  const covered = rows(standing, 1);
  const undoing = [...rows(undo.possible === 'no' ? sentence`! ${undo.how}` : undo.how, MAX_ROWS - covered.length), ...covered];
  const last = rows(lossText(notices), 1);
  const others = notices.filter((notice) => !hasOwnRows(notice));
  const told = phrases({ notices: others, undo }, 'short');
  const cautions = told.filter((one) => !isFact(one));
  // Each of these takes a row at least, and so does where the rest is.
  const shortest = [stated, losses, cautions].filter(({ length }) => length > 0).length + 1;
  const isListed = lines.length <= Math.min(MAX_DETAILS, MAX_FORM_LINES - [...begin, ...undoing, ...last].length - shortest);
  const top = [...begin, ...(isListed ? [] : rows(planTotalsText(plan), isOfNew(preview) ? MAX_NEW : 2))];
  // The lines, a notice and where the rest is take a row each at least.
  const free = MAX_FORM_LINES - [...top, ...undoing, ...last].length - (isListed ? lines.length : 0) - 2;
  const statements = statedRows(stated, Math.max(1, free - Math.min(MAX_NAMED, losses.length)), isListed);
  const named = losses.slice(0, Math.min(MAX_NAMED, Math.max(1, free - statements.length)));
  const head = [...top, ...statements, ...named.flatMap((loss) => lossRow(loss, !isListed))];
  // One row may be needed to say where the rest is.
  const room = MAX_FORM_LINES - [...head, ...undoing, ...last].length - 1;
  const facts = told.filter(isFact).flatMap(({ text }) => rows(text, MAX_ROWS));
  const details = isListed ? detailRows(lines, room - Math.min(MAX_NAMED, cautions.length)) : [];
  const warned = shortened(cautions, room - details.length);
  // Of what weighs most, the first are named.
  const untold = [...cautions.slice(warned.told).flatMap(({ of }) => of), ...gravest.flatMap(({ of }) => of.slice(MAX_NAMED_IN_SHORT))];
  const shownFacts = facts.slice(0, Math.max(0, room - details.length - warned.rows.length));
  const body = [...head, ...details, ...warned.rows, ...shownFacts, ...undoing];
  const areAllTold = warned.told === cautions.length && shownFacts.length === facts.length;
  const isWhole = isListed && areAllTold && !body.some(({ isCut }) => isCut);
  const all = [...body, ...(isWhole ? [] : rows(sentence`The whole plan: video-hosting://changes/${word(changeId)}`, 1)), ...last];
  return { text: all.map(({ text }) => text).join('\n'), untold };
}

/** Whether its totals are the names of what is created: it loses nothing, which would need the rows. */
const isOfNew = ({ records = [] }: Preview): boolean => records.length > 0 && records.every(({ is }) => is === 'creation');

/** What comes before all else. */
const isGravest = isAtLeast('contradicted');

/** A notice that is shown in rows of its own. */
const hasOwnRows = (one: Notice): boolean => isGravest(one) || isNotice('contents_unknown', 'loses', 'no_undo')(one);

/** What becomes of each record in a row, or more where there is room. What is stated is above them. */
function detailRows(records: readonly PlanLine[], room: number): Row[] {
  const max = Math.min(MAX_ROWS, Math.max(1, Math.floor(room / records.length)));
  return records.flatMap((record) => {
    const whole = rows(sentence`- ${lineText({ label: record.label, changes: wholeTexts(record) })}`, max);
    return whole.some(({ isCut }) => isCut) ? rows(sentence`- ${lineText(whatChangesFirst(record))}`, max) : whole;
  });
}

/** All that changes is named first, since the end of the line is cut. */
function whatChangesFirst(record: PlanLine): Parameters<typeof lineText>[0] {
  const { label, phrases: all } = record;
  const named = all.flatMap(({ inParts }) => inParts?.what ?? []);
  if (label === undefined || named.length < 2) return { label, changes: wholeTexts(record) };
  return { label: sentence`${cutQuoted(label, MAX_LABEL)} (${joined(named, ', ')})`, changes: changesIn(record) };
}

/** What is done, as the title of the field that says so. */
export const formTitle = ({ preview }: ShownPlan): string => cutToColumns(withShortNames(preview.summary), MAX_FORM_TITLE);

/** The warnings that there is room for, the first `told`, and how many there are besides. */
function shortened(warnings: readonly Phrase[], room: number): { readonly rows: readonly Row[]; readonly told: number } {
  const each = Math.max(1, Math.floor(room / Math.max(1, warnings.length)));
  const whole = warnings.flatMap(({ text }) => rows(sentence`! ${text}`, Math.min(MAX_ROWS, each)));
  if (whole.length <= room) return { rows: whole, told: warnings.length };
  const { shown, left } = roomFor(warnings, Math.max(0, room - 1));
  const first = shown.flatMap(({ text }) => rows(sentence`! ${text}`, 1));
  return { rows: [...first, ...left.flatMap((more) => rows(sentence`! And ${more}.`, 1))], told: shown.length };
}

/** What is stated of each record: the least by name, and with its keys where there is room; the others in one row. */
function statedRows(stated: readonly StatedContents[], room: number, hasKeys: boolean): Row[] {
  const all = stated.toSorted((a, b) => heldBy([a]) - heldBy([b]));
  const max = Math.min(MAX_NAMED, room);
  const named = all.slice(0, all.length <= max ? all.length : max - 1);
  const rest = all.slice(named.length);
  // The lines of the plan need room as well.
  const each = hasKeys ? Math.min(MAX_ROWS, Math.max(1, Math.floor(room / 2 / all.length))) : 1;
  const others = named.length === 0 ? sentence`${rest.length} channels hold` : sentence`${rest.length} others hold`;
  return [
    ...named.flatMap(({ label, lists, isChanged }) => {
      const keys = joined(
        lists.flatMap(({ count, which }) => (count === 0 ? [] : [which])),
        '; ',
      );
      const row = statedRow(
        sentence`${cutQuoted(label, MAX_STATED_LABEL)} holds`,
        each > 1 ? lists : withoutNone(lists),
        isChanged,
        each,
        statedBy(lists),
      );
      return rows(hasKeys && keys !== '' ? sentence`${row}: ${keys}` : row, each);
    }),
    ...(rest.length === 0
      ? []
      : rows(
          statedRow(
            others,
            statedSums(rest),
            rest.every(({ isChanged }) => isChanged),
            1,
            statedBy(rest.flatMap(({ lists }) => lists)),
          ),
          1,
          // Which of them, and of which keys, is not told.
        ).map((row) => ({ ...row, isCut: true }))),
  ];
}

/** In fewer words where so many rows would not have the end, which is what matters. */
function statedRow(who: Sentence, lists: StatedContents['lists'], isChanged: boolean, max: number, by: Sentence): Sentence {
  const held = sentence`${who} ${holdingsText({ lists }, false)}`;
  const whole = sentence`! ${byStatement('By', held, isChanged, by)}`;
  return rows(whole, max).some(({ isCut }) => isCut) ? sentence`! As stated, ${held}; ${replacedText(false)}` : whole;
}

function lossRow(loss: Loss, isNamed: boolean): Row[] {
  const name = cutQuoted(loss.label, MAX_LABEL);
  if (loss.kind === 'unknown') return rows(sentence`! ${name} may lose whatever it holds now, since that is not known`, 1);
  const names = isNamed && loss.which !== '' ? sentence`: ${loss.which}` : '';
  return rows(sentence`! ${name} loses ${inFull(loss.count)} of ${counted(loss.held, loss.what)}${names}`, 1);
}
