import { definedFields } from '../../platform/defined-fields.ts';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { hintTexts, isNotice, moreWarnings, phrases, toldOut } from '../notices/notices.ts';
import { LIST_WORDS, type ListWord } from '../plan/channel-fields.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { changesIn, lineText, numbersIn, type PlanLine, planLines, statedIn, wholeLine, wholeTexts } from './plan-lines.ts';
import { type StatedContents, statedBy } from './stated-text.ts';
import { idLines, namedIdLines } from './video-lines.ts';

const MAX_WARNINGS = 40;
const MAX_LINES = 100;
/** Of one page: with what stands around it, twice (as text and as data), it fits into an answer. */
const MAX_WARNING_CHARACTERS = 6_000;
const MAX_LINE_CHARACTERS = 12_000;

/** A page of a preview, from 1, the whole, as the change's resource has it, or, as a call is answered, all of it in few words. */
type Part = number | 'brief' | 'whole';

export function previewAnswer(plan: ShownPlan, changeId?: string, part: Part = 'brief') {
  const { preview } = plan;
  const { notices, onFailure, undo } = preview;
  const planned = planLines(plan, 'few');
  // On the pages after what is said of them all; the resource has them beside its preview.
  const ids = 'ids' in plan && part !== 'whole' && namedIdLines(plan) === undefined ? idLines(plan) : [];
  // The lines tell what each record loses.
  const isGrouped = part === 'brief' && phrases(preview).some(({ of }) => of.length > 1 && !of.every(isNotice('loses')));
  const { warnings = [], notes } = toldOut(preview, part === 'brief' ? 'long' : 'each');
  const whole = sharedOnce(planned).map(wholeLine);
  const brief = part === 'brief' ? briefLines(planned) : undefined;
  // A page of its own, or the first of those that have all.
  const page = part === 'brief' ? 1 : part;
  const told = pageOf(warnings, page, MAX_WARNINGS, MAX_WARNING_CHARACTERS);
  const { pages: pagesOfWarnings } = pageOf(toldOut(preview, 'each').warnings ?? [], page, MAX_WARNINGS, MAX_WARNING_CHARACTERS);
  const paged = [...whole, ...ids];
  const shown = pageOf(part === 'brief' ? (brief ?? whole) : paged, page, MAX_LINES, MAX_LINE_CHARACTERS);
  const { pages } = pageOf(paged, page, MAX_LINES, MAX_LINE_CHARACTERS);
  // The pages after the first do not repeat what is about all of it.
  const isFirst = page === 1 || page === 'whole';
  const cautions = [...told.texts, ...(isFirst ? hintTexts(notices) : [])];
  // The other pages have the lines in full.
  const hasIdsLeft = part === 'brief' && ids.length > 0;
  const next = hasIdsLeft || isGrouped || (brief !== undefined && shown.left > 0) ? 1 : Number(page) + 1;
  return definedFields({
    summary: summaryText(preview),
    warnings: cautions.length === 0 ? undefined : cautions,
    notes: isFirst ? notes : undefined,
    lines: shown.texts,
    onFailure: isFirst && onFailure !== '' ? onFailure : undefined,
    // A warning says it already.
    undo: !isFirst || notices.some(isNotice('no_undo')) ? { possible: undo.possible } : undo,
    more:
      page === 'whole'
        ? undefined
        : moreText(
            moreWarnings(told.left, told.texts.length),
            shown.left,
            hasIdsLeft,
            isGrouped,
            changeId === undefined ? sentence`` : sentence`: get_change with page ${next} of ${Math.max(pagesOfWarnings, pages)}`,
          ),
    standing:
      preview.standing === undefined ? undefined : joined([preview.standing, ...(preview.lacks === undefined ? [] : [preview.lacks])]),
  });
}

/** How much comes after this page, and how it is read. */
function moreText(warnings: readonly Sentence[], lines: number, hasIds: boolean, isGrouped: boolean, where: Sentence) {
  const parts: Sentence[] = [
    ...warnings,
    ...(lines > 0 ? [counted(lines, 'more line')] : []),
    ...(hasIds ? [sentence`all ids`] : []),
    ...(isGrouped ? [sentence`each channel’s warning by itself`] : []),
  ];
  return parts.length === 0 ? undefined : sentence`… and ${joined(parts, ' and ')}${where}`;
}

/** With one entry for all records to which the same happens. */
function sharedOnce(records: readonly PlanLine[]): PlanLine[] {
  const groups = new Map<unknown, PlanLine>();
  for (const record of records) {
    const isAlone = record.label === undefined || record.stated !== undefined;
    const key = isAlone ? record : JSON.stringify(wholeTexts(record));
    const same = groups.get(key);
    groups.set(key, same === undefined ? record : { ...same, label: sentence`${same.label ?? ''}, ${record.label ?? ''}` });
  }
  return [...groups.values()];
}

/** The texts of one page, and how many come after it. */
function pageOf(texts: readonly Sentence[], page: number | 'whole', max: number, maxCharacters: number) {
  if (page === 'whole') return { texts, left: 0, pages: 1 };
  const pages: Sentence[][] = [[]];
  let characters = 0;
  for (const text of texts) {
    const last = pages.at(-1) ?? [];
    characters += text.length;
    // One that is too long has a page of its own.
    if (last.length > 0 && (last.length >= max || characters > maxCharacters)) {
      pages.push([text]);
      characters = text.length;
    } else last.push(text);
  }
  return { texts: pages[page - 1] ?? [], left: pages.slice(page).flat().length, pages: pages.length };
}

/**
 * The lines for an assistant, which has the lists that it states, or the file that they are in: they are numbers here. One for all records
 * to which the same happens, each with its own numbers; undefined where no record is changed.
 */
function briefLines(records: readonly PlanLine[]): Sentence[] | undefined {
  if (records.every(({ phrases: all }) => all.every(({ inParts }) => inParts === undefined))) return undefined;
  const stated = statedIn(records);
  const groups = new Map<unknown, { readonly heads: Sentence[]; readonly changes: readonly Sentence[] }>();
  for (const record of records) {
    const changes = changesIn(record);
    const key = record.label === undefined ? record : JSON.stringify(changes);
    const group = groups.get(key) ?? { heads: [], changes };
    group.heads.push(...numberedLabel(record));
    groups.set(key, group);
  }
  const shown = [...groups.values()].map(({ heads, changes }) => lineText({ label: joined(heads, ', '), changes }));
  return stated.length === 0 ? shown : [statedLine(stated), ...shown];
}

function statedLine(stated: readonly StatedContents[]): Sentence {
  const lists = stated.flatMap((one) => one.lists);
  const none = LIST_WORDS.filter((what) => lists.some((list) => list.what === what && list.count === 0));
  const isNowhere = (what: ListWord): boolean => lists.every((list) => list.what !== what || list.count === 0);
  const without = joined(
    none.map((what) => sentence`, with no ${what}s${isNowhere(what) ? '' : ' where none are counted'}`),
    '',
  );
  const files = lists.some(({ file }) => file !== undefined) ? sentence` (by ${statedBy(lists)})` : '';
  return sentence`The lists as stated${files} replace what is there, whole and in order${without} (keys, if asked for: get_change with page 1).`;
}

/** `"News" (5 videos)`, `"News" (videos 5 → 6, 1 project)`. */
function numberedLabel(record: PlanLine): Sentence[] {
  const { label, stated } = record;
  if (label === undefined) return [];
  // Of a list of which the change makes another, the change has the number.
  const unchanged = stated?.lists.filter(({ count, isChanged }) => count > 0 && isChanged !== true) ?? [];
  const numbers = [...numbersIn(record), ...unchanged.map(({ what, count }) => counted(count, what))];
  return [numbers.length === 0 ? label : sentence`${label} (${joined(numbers, ', ')})`];
}
