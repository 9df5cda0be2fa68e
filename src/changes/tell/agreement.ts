import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { LaterChange } from '../kinds/earlier/later-changes.ts';
import { openNotices } from '../kinds/earlier/open-notices.ts';
import { plannedUndo } from '../kinds/earlier/undoable.ts';
import { isFact, isNotice, type NoticeKind, phrases, roomFor } from '../notices/notices.ts';
import { type Agreed, type Asked, type Decided, isSameParty, personIn, type Stopped } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY, type Reader } from '../plan/confirmed-by.ts';
import { receiptText, renamedTexts, usesText } from '../plan/receipt.ts';
import { STOPPED_BY } from '../plan/stopped-by.ts';
import { countedUse } from '../standing/usage.ts';

// Who asked for a change, who agreed to it and how, and what they were told; who had it stopped.

/** What somebody did, and when: each layout puts the time and a full stop behind the words in its own way. Without a time they are a sentence. */
export interface Told {
  readonly words: Sentence;
  /** ISO 8601. */
  readonly at?: string;
}

/** `by nightly through Codex`; empty where neither is known. */
export function askedBy({ by, client, onPage }: Asked): Sentence {
  const who = by === undefined ? [] : [sentence`by ${word(by.name)}`];
  const where = onPage ? [sentence`on the approval page`] : client === undefined ? [] : [sentence`through ${word(client)}`];
  return joined([...who, ...where]);
}

/** Who asked, with what and when. */
export const toldAsked = (asked: Asked, start: Sentence = sentence`Asked`): Told => ({
  words: joined([start, askedBy(asked)].filter((text) => text !== '')),
  at: asked.at,
});

/** `what bob’s assistant (Codex) asked for`, of the people of a server for several; undefined where they are not known as such. */
function whatWasAsked(asked: Asked | undefined, by: Decided['by']): Sentence | undefined {
  if (asked?.by?.id === undefined || by?.id === undefined) return undefined;
  const isOwn = isSameParty(asked.by, by);
  if (asked.onPage === true)
    return isOwn ? sentence`what they asked for themselves` : sentence`what ${word(asked.by.name)} asked for there`;
  const client = asked.client === undefined ? sentence`` : sentence` (${word(asked.client)})`;
  return sentence`what ${isOwn ? 'their own' : sentence`${word(asked.by.name)}’s`} assistant${client} asked for`;
}

/** Who agreed, how and when; with who `asked`, where both are people of a server for several. */
export function toldDecided({ by, how, at }: Decided, reader: Reader, asked?: Asked): Told {
  const { who, where, did, isForAll } = CONFIRMED_BY[how];
  const what = whatWasAsked(asked, by);
  if (by !== undefined && what !== undefined && where !== undefined && at !== undefined)
    return { words: sentence`${word(by.name)} approved ${where} ${what}`, at };
  const subject = who && (by === undefined ? who[reader] : word(by.name));
  const words = subject === undefined ? did : sentence`${subject} ${did}`;
  return isForAll || at === undefined ? { words: sentence`${words}.` } : { words, at };
}

/** The words that came with a yes: of several people, whoever approved may be another than whose assistant reads them. */
export const noteOut = (note: string | undefined, { by }: Pick<Decided, 'by'>): Readonly<Record<string, string>> =>
  note === undefined || note === '' ? {} : { [personIn(by) === undefined ? 'userNote' : 'approverNote']: note };

/** Who had it stopped, how and when. */
export function toldStopped({ by, how, at }: Stopped, reader: Reader): Told {
  const { who, did } = STOPPED_BY[how];
  const subject = who && (by === undefined ? who[reader] : word(by.name));
  return { words: subject === undefined ? did[reader] : sentence`${subject} ${did[reader]}`, at };
}

/** The same of a change that ended before all of it was done; undefined where nobody had it stopped, or that is not known. */
export function stoppedIn({ status, ended }: Pick<ChangeRecord, 'status' | 'ended'>, reader: Reader): Told | undefined {
  const isWhole = status === 'running' || status === 'applied';
  return isWhole || ended?.stopped === undefined ? undefined : toldStopped(ended.stopped, reader);
}

export const toldText = ({ words, at }: Told): Sentence => (at === undefined ? words : sentence`${words} on ${timeText(Date.parse(at))}.`);

/** Without the time, for whoever asked just now. */
export const toldNow = ({ words, at }: Told): Sentence => (at === undefined ? words : sentence`${words}.`);

/** Who asked for a change at first and, where it was carried on, for that the last time; of journals that say it. */
export function allAsked(agreed: readonly Agreed[]): readonly Told[] {
  const [first, ...later] = agreed;
  const last = later.at(-1);
  return [
    ...(first?.asked === undefined ? [] : [toldAsked(first.asked)]),
    ...(last?.asked === undefined ? [] : [toldAsked(last.asked, sentence`Carried on as asked`)]),
  ];
}

/** All of that in sentences; undefined where nothing is known. */
export function askedText(agreed: readonly Agreed[], textOf = toldText): Sentence | undefined {
  const told = allAsked(agreed);
  return told.length === 0 ? undefined : joined(told.map(textOf));
}

/** Warnings in the answer to a confirmed change; its resource has all of them. */
const MAX_LATER_WARNINGS = 10;

/** Who asked for a change, how it was confirmed, and what the user was told where the assistant saw no preview; `elsewhere` are those of other fields of the answer. */
export function agreedOut(record: ChangeRecord, elsewhere: readonly NoticeKind[], later?: ReadonlyMap<string, LaterChange>) {
  const agreed = {
    ...definedFields({ asked: askedText(record.agreed, toldNow) }),
    confirmed: toldNow(toldConfirmed(record, 'assistant')),
  };
  if (CONFIRMED_BY[record.intent.decided.how].warned === 'assistant') return agreed;
  const told = phrases({
    notices: openNotices(record, later).filter((notice) => !isNotice(...elsewhere)(notice)),
    undo: plannedUndo(record.intent),
  });
  const notes = told.filter(isFact).map(({ text }) => text);
  const { shown, left } = roomFor(
    told.filter((one) => !isFact(one)),
    MAX_LATER_WARNINGS,
    'final',
  );
  const warnings = [...shown.map(({ text }) => text), ...left.map((more) => sentence`And ${more} that weigh less.`)];
  return { ...agreed, ...(warnings.length === 0 ? {} : { warnings }), ...(notes.length === 0 ? {} : { notes }) };
}

/** Who asked for a change and how it was confirmed, with the times of both. */
export const agreementOut = (record: ChangeRecord) => ({
  ...definedFields({ asked: askedText(record.agreed) }),
  confirmed: confirmedText(record, 'assistant'),
});

/** How a change was confirmed, and when, for whoever reads it. */
export const confirmedText = (record: ChangeRecord, reader: Reader): Sentence => toldText(toldConfirmed(record, reader));

/** The same where the layout shows the time in its own way. */
export function toldConfirmed(record: ChangeRecord, reader: Reader): Told {
  const receipt = receiptWords(record);
  return receipt === undefined ? toldDecided(record.intent.decided, reader, record.intent.asked) : { words: receipt };
}

/** Why nobody was asked for a change, and what would have people asked; undefined of one that somebody agreed to. */
export function toldUnasked(record: ChangeRecord): Sentence | undefined {
  const { decided, standing, asked } = record.intent;
  if (decided.how === 'never') {
    const server = asked?.by === undefined ? sentence`the server that carried it out` : sentence`the server of ${word(asked.by.name)}`;
    return sentence`Nobody was asked to agree: ${server} is set up to act without asking, which whoever runs it can change.`;
  }
  if (!CONFIRMED_BY[decided.how].hasReceipt || standing === undefined) return undefined;
  const approvals = standing.rules.length === 1 ? sentence`the standing approval` : sentence`the standing approvals`;
  const uses = usesText(standing, (use) => countedUse(record, use));
  return joined([sentence`Nobody was asked to agree: it is covered by ${approvals} ${uses}.`, ...renamedTexts(standing)]);
}

/** By which standing approvals it was covered. */
function receiptWords(record: ChangeRecord): Sentence | undefined {
  const { decided, standing } = record.intent;
  if (!CONFIRMED_BY[decided.how].hasReceipt || standing === undefined) return undefined;
  return receiptText(standing, (use) => countedUse(record, use));
}
