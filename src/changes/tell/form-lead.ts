import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { cutQuoted, type Row, wrapToColumns } from '../../text/text-columns.ts';
import { noIdsText } from '../notices/bulk-notices.ts';
import { heaviest, isNotice, type Notice, type NoticeOf } from '../notices/notices.ts';
import { LIST_WORDS, type ListWord } from '../plan/channel-fields.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { type Preview, summaryText } from '../plan/preview.ts';
import { planLines, statedIn } from './plan-lines.ts';
import { holdingsText, replacedText } from './stated-text.ts';
import { statedSums } from './totals.ts';

// The first rows of a form, which are all that some clients show.

/** What every client shows of it: some fold the rest away, cut rows that are wider than the terminal, and can still be accepted. */
const MAX_LEAD = 3;
/** 110 characters, less the margin that clients draw. */
const MAX_COLUMNS = 104;
/** The same of a terminal of 80. */
const NARROW_COLUMNS = 74;
/** Of a name or a title: in its quotation marks, brackets and with a full stop it fits into a row. */
const MAX_QUOTED = 96;

/** What is done, and what comes of it in all; with what speaks against it where its own rows would come too late. */
export function leadRows(plan: ShownPlan): Row[] {
  const { preview } = plan;
  const done = summaryText(preview);
  const totals = totalTexts(plan, preview.undo.possible === 'no' && !isStatement(preview)).map((text) => sentence`${text}.`);
  const lead = leadOf(done, totals);
  const doubts = heaviest(preview.notices.filter((one) => !isTotal(one))).filter(({ weight }) => weight === 'contradicted');
  if (doubts.length === 0 || lead.length < MAX_LEAD) return lead;
  const doubt = sentence`In doubt: ${joined(
    doubts.map(({ text }) => text),
    ', ',
  )}.`;
  const whole = leadOf(done, [doubt, ...totals]);
  return whole.some(({ isCut }) => isCut) ? lead : whole;
}

/** Totals that leave no row for what is done go before it, so that they are whole. */
function leadOf(done: Sentence, totals: readonly Sentence[]): Row[] {
  if (totals.length === 0) return rows(done, 2);
  const widths = [NARROW_COLUMNS, MAX_COLUMNS].map((columns) => rows(sentence`! ${joined(totals)}`, MAX_LEAD, columns));
  const below = widths.find(({ length }) => length < MAX_LEAD);
  if (below === undefined) return rows(sentence`! ${joined(totals)} ${done}`, MAX_LEAD);
  return [...rows(done, MAX_LEAD - below.length), ...below];
}

/** Whether all that it does is to record what the user says, which another statement replaces. */
const isStatement = ({ records = [] }: Preview): boolean => records.length > 0 && records.every(({ is }) => is === 'statement');

/** What seems to be no ids, what would be there twice, what is lost, what is stated, and that it can’t be undone; without full stops. */
const totalTexts = (plan: ShownPlan, cannotBeUndone: boolean): Sentence[] => {
  const { preview } = plan;
  const texts = [
    doubtText(preview.notices),
    doubledText(preview.notices),
    lossText(preview.notices),
    totalStatedText(plan),
    cannotBeUndone ? sentence`Can’t be undone` : sentence``,
  ];
  return texts.filter((text) => text !== '');
};

/** Of what speaks against a change, what the totals have in words of their own. */
const isTotal = isNotice('no_ids', 'copied_before', 'source_got_copies');

/** What the assistant states that channels hold, in all: it is sent in the place of what is there. Empty where nothing is stated. */
function totalStatedText(plan: ShownPlan): Sentence {
  const { preview } = plan;
  const stated = statedIn(planLines(plan));
  if (stated.length === 0) return sentence``;
  const isOnly = stated.length === 1 && preview.records?.length === 1;
  const which = isOnly ? 'it holds' : sentence`${counted(stated.length, 'channel')} ${stated.length === 1 ? 'holds' : 'hold'}`;
  const isChanged = stated.some((one) => one.isChanged);
  return sentence`As stated, ${which} ${holdingsText({ lists: statedSums(stated) }, false)}; ${replacedText(isChanged)}`;
}

/** What one record loses; of one that is not known, perhaps all. */
export type Loss = NoticeOf<'loses'> | { readonly kind: 'unknown'; readonly label: Sentence };

/** The greatest first. */
export const lossesIn = (notices: readonly Notice[]): readonly Loss[] =>
  notices.flatMap((notice): readonly Loss[] => {
    if (notice.kind === 'contents_unknown') return notice.labels.map((label) => ({ kind: 'unknown', label }));
    return notice.kind === 'loses' ? [notice] : [];
  });

const doubtText = (notices: readonly Notice[]): Sentence => {
  const [doubt] = notices.filter(isNotice('no_ids'));
  return doubt === undefined ? sentence`` : noIdsText(doubt);
};

/** `3 videos would have the CTAs twice`; empty where none would. */
function doubledText(notices: readonly Notice[]): Sentence {
  const videos = notices.flatMap((one) => (one.kind === 'copied_before' ? [one.count] : []))[0];
  if (videos !== undefined) return sentence`${counted(videos, 'video')} would have the CTAs twice`;
  return notices.some(isNotice('source_got_copies')) ? sentence`CTAs that it got by a copy may be there twice` : sentence``;
}

/** `Loses 12 videos in 2 channels, which empties 1`; empty where nothing is lost. */
export function lossText(notices: readonly Notice[]): Sentence {
  const losses = lossesIn(notices);
  const emptied = notices.filter(isNotice('ends_empty')).length;
  const empties = emptied === 0 ? sentence`` : sentence`, which empties ${emptied}`;
  const known = losses.filter((loss) => loss.kind === 'loses');
  const unknown = losses.filter(({ kind }) => kind === 'unknown');
  const sum = (wanted: ListWord) => known.reduce((total, { what, count }) => total + (what === wanted ? count : 0), 0);
  const parts = LIST_WORDS.flatMap((what) => (sum(what) > 0 ? [counted(sum(what), what)] : []));
  const channels = (some: readonly Loss[]) => counted(new Set(some.map(({ label }) => label)).size, 'channel');
  const all = sentence`whatever ${channels(unknown)} may hold now (not known)`;
  if (parts.length === 0) return unknown.length === 0 ? sentence`` : sentence`Loses ${all}${empties}`;
  return sentence`Loses ${joined(parts, ' and ')} in ${channels(known)}${unknown.length === 0 ? '' : sentence`, and ${all}`}${empties}`;
}

export const withShortNames = (text: Sentence): Sentence => cutQuoted(text, MAX_QUOTED);

export const rows = (text: Sentence, max: number, columns = MAX_COLUMNS): Row[] =>
  text === '' ? [] : wrapToColumns(withShortNames(text), columns, max);
