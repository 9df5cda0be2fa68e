import { CONTENTS, type ContentLists } from '../../account/contents.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { type ChannelNow, changedSince } from '../kinds/channels/changed-since.ts';
import { type LaterChange, laterChanges } from '../kinds/earlier/later-changes.ts';
import { undoneSince } from '../kinds/earlier/undone-by.ts';
import { kindOf } from '../kinds/index.ts';
import { FIELDS, PLAIN_FIELDS, pickFields, rowOf, wordsFor } from '../plan/channel-fields.ts';
import type { AnswerFacts } from '../plan/facts.ts';
import { changedIn } from '../plan/records.ts';
import { remarksOf } from '../plan/remarks.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { agreedOut, agreementOut } from './agreement.ts';
import { changedLine } from './answer-lines.ts';
import { isCut, sideAfter, sideBefore, takeFew } from './answer-sides.ts';
import { bulkResult } from './bulk-result.ts';
import { changeSentence, NOT_SENT } from './message.ts';
import { nextOf } from './next-steps.ts';
import { type RecordPhrases, recordPhrases } from './phrases.ts';
import { sidesOut, troubleOut, undoOut } from './result-fields.ts';
import { doneTotalsText } from './totals.ts';

/** Entries of `failed` and `unknown` in an answer; the change's resource has all of them. */
const MAX_OUTCOMES = 100;
/** Keys of the lists that were perhaps sent, in an answer. If there are more, each list is a number. */
const MAX_SENT = 60;

interface ResultOptions {
  readonly maxOutcomes?: number;
  /** Of a change that was resumed: also with the records that were changed before the last run. */
  readonly isOfAllRuns?: boolean;
  /** Of an earlier change: its channels as the service shows them now, as far as that is known. */
  readonly now?: ReadonlyMap<string, ChannelNow>;
}

/** The answer about a change, from its journal. */
export async function changeResult(
  record: ChangeRecord,
  journal: Journal,
  { maxOutcomes = MAX_OUTCOMES, isOfAllRuns = false }: ResultOptions = {},
) {
  const { intent, items, bulk } = record;
  if (bulk !== undefined) return bulkResult(record, bulk, journal, maxOutcomes);
  const later = await laterChanges(record, journal);
  const { files = [] }: AnswerFacts = intent.facts;
  const all = toldRecords(record);
  const { before, after, changed } = changedSides(all, isOfAllRuns ? '' : (record.resumed?.at ?? ''));
  const leftOut = joined([
    ...(!isOfAllRuns && record.resumed !== undefined && record.resumed.doneBefore > 0 ? [EARLIER_LEFT_OUT] : []),
    ...(after.some(isCut) ? [KEYS_LEFT_OUT] : []),
  ]);
  return {
    status: record.status,
    changeId: intent.changeId,
    message: changeSentence(record, later),
    ...doneTotals(all),
    ...(isSent(record) ? { afterSource: afterSource(record) } : {}),
    ...agreedOut(record, ['list_file', 'no_undo'], later),
    ...(files.length === 0 ? {} : { files }),
    ...sidesOut(before, after),
    ...(changed.length === 0 ? {} : { changed }),
    ...(leftOut === '' ? {} : { leftOut: leftOut }),
    ...definedFields({
      failed: outcomeList(items, 'failed', later),
      unknown: outcomeList(items, 'unknown', later, fewSent(items)),
      notDone: outcomeList(items, 'not_done', later),
    }),
    ...remarks(items),
    ...troubleOut(record),
    undo: undoOut(record),
    next: nextOf(record, later),
  };
}

const EARLIER_LEFT_OUT = sentence`Of what was done before the last run, get_change has each.`;
const KEYS_LEFT_OUT = sentence`Of the keys that more counts, get_change with list: done has each.`;

/** Of fewer, each is read in a glance. */
const MIN_TOTALS = 4;

/** A record that was changed, or perhaps was. */
interface ToldRecord {
  readonly item: ItemState;
  readonly phrases: RecordPhrases;
}

function toldRecords({ items, intent }: ChangeRecord): ToldRecord[] {
  const changed = items.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown');
  const differences = kindOf(intent.kind).differences(changed, intent.facts);
  return changed.flatMap((item, index) => {
    const difference = differences[index];
    return difference === undefined ? [] : [{ item, phrases: recordPhrases(difference) }];
  });
}

/** What was done to many records, added up. */
function doneTotals(all: readonly ToldRecord[]): { readonly totals?: Sentence } {
  const done = all.filter(({ item: { outcome, differs } }) => outcome === 'done' && differs === undefined);
  if (done.length < MIN_TOTALS) return {};
  const totals = doneTotalsText(done.map(({ phrases }) => phrases));
  return totals === '' ? {} : { totals };
}

/** The records as they were and as they are: of those that are done, what was done since a time. */
function changedSides(all: readonly ToldRecord[], since: string) {
  const told = all.filter(({ item: { outcome, at = '' } }) => outcome === 'unknown' || at >= since);
  const takeOf = takeFew(told.map(({ phrases }) => phrases));
  const sides = told.map(({ item, phrases }) => {
    const take = takeOf(phrases);
    return { item, before: sideBefore(phrases), after: sideAfter(phrases, take), line: changedLine(item, phrases, take) };
  });
  return {
    before: sides.flatMap(({ item, before }) => (before === undefined ? [] : [{ id: item.id, ...before }])),
    // Of what is not known, nothing says how it is now.
    after: sides.flatMap(({ item, after }) =>
      item.outcome === 'unknown' ? [] : [{ ...calledNow(item), ...after, ...otherResults(item) }],
    ),
    changed: sides.flatMap(({ before, item, line }) => (item.outcome === 'unknown' && before === undefined ? [] : [line])),
  };
}

/** The answer about a change of some time ago, that others may have followed: with when it was asked for and confirmed, and what undid it. */
export async function laterResult(...[record, journal, limits]: Parameters<typeof changeResult>) {
  const result = await changeResult(record, journal, { ...limits, isOfAllRuns: true });
  return { ...result, ...agreementOut(record), ...(await sinceFacts(record, journal, limits?.now)) };
}

/** What was undone of it, and whether it can be as it is now. */
async function sinceFacts(record: ChangeRecord, journal: Journal, now: ResultOptions['now'] = new Map()) {
  const { changeId } = record.intent;
  const all = await undoneSince(changeId, journal);
  const undone = all.get(changeId);
  if (undone?.whole === true) return { undoneBy: undone.by, next: undefined, undo: undoOut(record, { undone }) };
  const changed = (await changedSince([record], { journal, now, undone: all })).get(changeId) ?? [];
  const undo = changed.length === 0 && (undone?.setBack.size ?? 0) === 0 ? {} : { undo: undoOut(record, { undone, changed }) };
  return undone === undefined ? undo : { ...undo, partlyUndoneBy: undone.by, next: undefined };
}

/** What came of it besides the values of its fields. */
function otherResults({ result = {} }: ItemState): Values {
  const shown: ReadonlySet<string> = new Set(PLAIN_FIELDS);
  return Object.fromEntries(Object.entries(definedFields(result)).filter(([field]) => !shown.has(field)));
}

/** By what a record is known now, also where its name did not change. */
const calledNow = ({ id, name, after, result: { id: now = id, key, name: shown } = {} }: ItemState) =>
  definedFields({ id: now, key, name: shown ?? after.name ?? name });

/** Whether something was sent to the account and answered. */
const isSent = ({ intent, items }: ChangeRecord): boolean =>
  !TRAITS[intent.kind].isLocal && items.some(({ outcome, after }) => outcome === 'done' && Object.keys(after).length > 0);

/** What of `after` the service showed, so that nobody has to look. */
function afterSource({ intent, items }: ChangeRecord): Sentence {
  const done = items.filter(({ outcome }) => outcome === 'done');
  if (done.some(({ differs }) => differs !== undefined)) return sentence`As sent; what the service showed otherwise is in remarks.`;
  const areAllKnown = items.every(({ outcome }) => outcome !== 'unknown');
  const needless = areAllKnown ? sentence` No check is needed.` : sentence``;
  const unshown = areAllKnown ? sentence`, so nothing is left to check.` : sentence`.`;
  const isUpdate = !TRAITS[intent.kind].isNew;
  const differing = new Set(done.flatMap(changedIn));
  const changed = FIELDS.filter((field) => differing.has(field));
  const texts = PLAIN_FIELDS.filter((field) => changed.includes(field));
  if (isUpdate && texts.length > 0 && !done.every(({ isShown }) => isShown)) return sentence`As sent; not all of it can be read back.`;
  const sendsLists = done.some(({ after }) => CONTENTS.some((list) => after[list] !== undefined));
  const areListsShown = !sendsLists || done.every((item) => item.areListsShown);
  const read = areListsShown ? changed.filter((field) => rowOf(field).role !== 'hidden') : texts;
  const taken = done.every(({ lostAt, found }) => lostAt === undefined && found !== true) ? 'The service took it as sent' : 'As sent';
  if (!isUpdate || (areListsShown && read.length === 0)) return sentence`${taken}.${needless}`;
  if (read.length === 0) return sentence`${taken}; no tool shows what channels hold${unshown}`;
  const others = areListsShown
    ? needless
    : sentence` What channels hold was sent as planned, and the service took it; no tool can look that up${unshown}`;
  return sentence`Read back: the service shows the ${wordsFor(read)} as sent.${others}`;
}

function outcomeList(
  items: readonly ItemState[],
  wanted: ItemState['outcome'],
  later: ReadonlyMap<string, LaterChange>,
  sentOf: (item: ItemState) => Values = () => ({}),
) {
  const isSettled = ({ id }: ItemState) => later.get(id)?.how === 'settles';
  const all = items.filter(({ outcome }) => outcome === wanted);
  // What is left to be done comes first.
  const found = [...all.filter((item) => !isSettled(item)), ...all.filter(isSettled)].slice(0, MAX_OUTCOMES);
  if (found.length === 0) return undefined;
  const entry = (item: ItemState) => {
    const { id, label, reason = NOT_SENT } = item;
    const by = isSettled(item) ? later.get(id)?.by : undefined;
    if (by !== undefined) return { id, label, reason: sentence`Settled since by ${word(by)}.`, settledBy: by };
    const sent = sentOf(item);
    return { id, label, reason, ...(Object.keys(sent).length === 0 ? {} : { sent }) };
  };
  return found.map(entry);
}

/** The lists that were sent to a channel. A later update that sends them again settles what of it is not known. */
export const sentLists = ({ after, outcome, seen }: ItemState): ContentLists =>
  outcome === 'unknown' && seen !== null ? pickFields(after, CONTENTS) : {};

/** In numbers, where that are many keys. */
function fewSent(items: readonly ItemState[]): (item: ItemState) => Values {
  const keys = items.flatMap((item) => Object.values(sentLists(item)).flat());
  return (item) =>
    Object.fromEntries(Object.entries(sentLists(item)).map(([list, sent]) => [list, keys.length > MAX_SENT ? sent?.length : sent]));
}

/** Reservations about items that are done. */
function remarks(items: readonly ItemState[]) {
  const found = items
    .filter(({ outcome }) => outcome === 'done')
    .flatMap((item) => remarksOf(item).map((reason) => ({ id: item.id, label: item.label, reason })));
  return found.length === 0 ? {} : { remarks: found.slice(0, MAX_OUTCOMES) };
}
