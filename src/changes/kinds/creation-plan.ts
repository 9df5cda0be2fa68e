import { labelOf } from '../../account/references.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { isObject, type Values } from '../../platform/is-object.ts';
import { stableJson } from '../../platform/stable-json.ts';
import { asItLooks, cleanText } from '../../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Journal } from '../journal/journal.ts';
import type { Notice, NoticeOf } from '../notices/notices.ts';
import type { AnswerFacts } from '../plan/facts.ts';
import { type Fields, type ItemOutcome, type ItemPlan, type ItemRun, type PlannedItem, type Seen, STOPPED } from '../plan/plan.ts';
import type { Preview } from '../plan/preview.ts';
import { recordDifferences, titlesFor } from '../plan/record-difference.ts';
import { type ChangeKind, type KindWith, TRAITS } from '../plan/traits/index.ts';
import { isFatal } from './fatal-errors.ts';

interface Created {
  readonly id: string;
  readonly key?: string | undefined;
  readonly seen: Seen | null;
  /** The record in the service's answer. */
  readonly shown: Values;
}

export interface Creation {
  /** Of a change that is resumed: the id in its journal. */
  readonly id?: string;
  readonly what: 'channel' | 'project';
  readonly name: string;
  readonly after: Fields;
  /** With the record's name where there are several. */
  readonly notices: (label: Sentence | undefined) => readonly Notice[];
  /** Records of the same name, when the plan is made. */
  readonly namesakes: readonly { readonly id: string }[];
  /** Undefined where the service answered success without a record. */
  readonly create: (run: ItemRun) => Promise<Created | undefined>;
  /** The record that was created, read back. */
  readonly read: (id: string) => Promise<Values>;
  /** All records of the kind. */
  readonly all: () => Promise<readonly { readonly id: string; readonly name?: string | undefined }[]>;
}

interface CreationContext {
  readonly journal: Journal;
  /** Why it can’t be undone. */
  readonly noUndo: Sentence;
  readonly notices?: readonly Notice[];
  readonly answerFacts?: AnswerFacts;
  readonly titleOf?: TitleOf;
}

/** The plan of new records of one kind. Each is sent once, and looked for by name where the answer is lost. */
export async function creationPlan(
  kind: KindWith<{ readonly isNew: true }>,
  creations: readonly Creation[],
  { journal, noUndo, notices = [], answerFacts = {}, titleOf = () => undefined }: CreationContext,
): Promise<ItemPlan> {
  const running = await beingMade(kind, creations, journal);
  const items = creations.map(itemOf);
  // So that a namesake made after the preview is noticed.
  const facts = { ...answerFacts, namesakes: creations.flatMap(({ namesakes }) => namesakes.map(({ id }) => id)) };
  const records = recordDifferences(items, facts);
  return {
    kind,
    preview: { ...previewOf(kind, creations, [...running, ...notices], noUndo), records, titles: titlesFor(records, titleOf) },
    items,
    facts,
    basis: { beingMade: running.map(({ by }) => by) },
    apply: (run) => createAll(run, creations),
  };
}

/**
 * The same names that changes which run now are about to give, that others gave after the list of records was read, or whose
 * answers were lost lately, in this process or another one.
 */
async function beingMade(
  kind: ChangeKind,
  creations: readonly Creation[],
  journal: Journal,
): Promise<NoticeOf<'name_being_given' | 'created_lately' | 'perhaps_created'>[]> {
  const names = new Set(creations.map(({ name }) => asItLooks(name)));
  const listed = new Set(creations.flatMap(({ namesakes }) => namesakes.map(({ id }) => id)));
  const since = Date.now() - DOUBT_MS;
  const found: NoticeOf<'name_being_given' | 'created_lately' | 'perhaps_created'>[] = [];
  for await (const { intent, status, items } of journal.each([kind])) {
    if (status !== 'running' && Date.parse(intent.at) < since) continue;
    for (const { outcome, result, after } of items) {
      if (after.name === undefined || !names.has(asItLooks(after.name))) continue;
      const about = { by: intent.changeId, name: shownName(after.name) };
      if (outcome === 'pending') found.push({ kind: 'name_being_given', ...about });
      else if (outcome === 'unknown') found.push({ kind: 'perhaps_created', ...about });
      else if (outcome === 'done' && !listed.has(result?.id ?? ''))
        found.push({ kind: 'created_lately', ...about, record: sentence`${TRAITS[kind].record}` });
    }
  }
  return found;
}

/** How long a creation of unknown outcome is warned of. */
const DOUBT_MS = 3_600_000;

function previewOf(kind: ChangeKind, creations: readonly Creation[], others: readonly Notice[], noUndo: Sentence): Preview {
  const { record } = TRAITS[kind];
  const [only, ...more] = creations;
  const isOne = more.length === 0;
  const own = creations.flatMap((creation) => creation.notices(isOne ? undefined : shownName(creation.name)));
  return {
    summary: isOne ? sentence`Create the ${record} ${shownName(only?.name ?? '')}` : sentence`Create ${creations.length} ${record}s`,
    notices: [...creations.flatMap(sameNames), { kind: 'no_undo' }, ...own, ...others],
    onFailure: isOne
      ? sentence``
      : sentence`If the service refuses one of the ${record}s, the others are created all the same. If it fails or can’t be reached, those not yet sent are not created, and can be created later.`,
    undo: { possible: 'no', how: noUndo },
  };
}

const shownName = (name: string): Sentence => inQuotes(name, MAX_NAME);

/** The journal's id for what does not exist yet. */
const newId = ({ id }: Creation, index: number, total: number): string => id ?? (total === 1 ? 'new' : `new-${index + 1}`);

function itemOf(creation: Creation, index: number, all: readonly Creation[]): PlannedItem {
  const { name, after } = creation;
  return { id: newId(creation, index, all.length), label: shownName(name), name: cleanText(name, MAX_NAME), seen: null, before: {}, after };
}

function sameNames({ what, name, namesakes }: Creation): Notice[] {
  const by = joined(namesakes.slice(0, MAX_NAMESAKES).map(labelOf), ', ');
  return namesakes.length === 0 ? [] : [{ kind: 'name_taken', what, name: shownName(name), by }];
}

const MAX_NAMESAKES = 5;
/** All of a name. */
const MAX_NAME = 1_000;

/** Creates the records in order. Where the next one would meet the same error, the rest is not sent, and the error is thrown. */
async function createAll(run: ItemRun, creations: readonly Creation[]): Promise<void> {
  for (const [index, creation] of creations.entries()) {
    if (run.stop.aborted) return;
    const id = newId(creation, index, creations.length);
    await run.sending(id);
    const { outcome, error } = await create(run, creation);
    await run.record(id, outcome);
    run.progress(index + 1, creations.length, `Creating ${creation.what}s`);
    if (error !== undefined && isFatal(error) && index < creations.length - 1) throw error;
  }
}

async function create(run: ItemRun, creation: Creation): Promise<{ readonly outcome: ItemOutcome; readonly error?: VideoHostingError }> {
  try {
    const created = await creation.create(run);
    const outcome = created === undefined ? ((await find(creation)) ?? notFound(creation)) : await verified(created, creation);
    return { outcome };
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    if (run.stop.aborted && (error.facts.outcome ?? 'not-known') !== 'not-known') return { outcome: STOPPED };
    return { outcome: await outcomeAfter(error, creation), error };
  }
}

const notFound = ({ what }: Creation): ItemOutcome => ({
  outcome: 'unknown',
  reason: sentence`The service answered success and showed no record, and no ${what} of that name stands out now. Look at the list of ${what}s before it is created again.`,
});

async function outcomeAfter(error: VideoHostingError, creation: Creation): Promise<ItemOutcome> {
  if ((error.facts.outcome ?? 'not-known') !== 'not-known')
    return isFatal(error)
      ? { outcome: 'not_done', reason: error.reason }
      : { outcome: 'failed', reason: error.reason, failedWith: error.code };
  const found = await find(creation);
  const { what } = creation;
  const now =
    found === undefined
      ? sentence`No ${what} of that name is there now; it may still appear. Look at the list of ${what}s before it is created again.`
      : sentence`A new ${what} of that name is there now (${word(found.result?.id ?? '')}); it is probably this one.`;
  return { ...found, outcome: 'unknown', reason: sentence`${error.reason} ${now}` };
}

async function verified({ id, key, seen, shown }: Created, { after, read }: Creation): Promise<ItemOutcome> {
  const isBrief = shown.name === undefined;
  const back = isBrief ? await read(id).catch(() => shown) : shown;
  const wrong = wrongFields(after, back);
  return {
    outcome: 'done',
    seen,
    result: { id, ...definedFields({ key }) },
    ...(wrong.length === 0 ? {} : { differs: wrong }),
  };
}

/** The fields that were sent and read back differently; those that are not shown are skipped. */
function wrongFields(sent: Values, shown: Values, within = ''): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const now = shown[name];
    if (now === undefined || now === null) return [];
    if (isObject(value) && isObject(now)) return wrongFields(value, now, `${within}${name}.`);
    return stableJson(value) === stableJson(now) ? [] : [`${within}${name}`];
  });
}

/** The only record of that name that is new. */
async function find({ all, name, namesakes }: Creation): Promise<ItemOutcome | undefined> {
  const now = await all().catch(() => []);
  const [found, ...more] = now.filter(
    (record) => asItLooks(record.name ?? '') === asItLooks(name) && !namesakes.some(({ id }) => id === record.id),
  );
  return found === undefined || more.length > 0 ? undefined : { outcome: 'done', result: { id: found.id } };
}
