import * as z from 'zod';
import type { Outcome } from '../../changes/journal/bulk-state.ts';
import { type ChangeRecord, RECORD_STATUSES } from '../../changes/journal/change-record.ts';
import { isLeftAlone } from '../../changes/journal/change-status.ts';
import { changedSince, channelsNow, channelsOf } from '../../changes/kinds/channels/changed-since.ts';
import { settledBy } from '../../changes/kinds/earlier/later-changes.ts';
import type { Since } from '../../changes/kinds/earlier/undo-now.ts';
import { undoOf } from '../../changes/kinds/earlier/undoable.ts';
import { type UndoRecord, undoneSince } from '../../changes/kinds/earlier/undone-by.ts';
import { listChanges as changesIn, proposalStatus } from '../../changes/life/find-change.ts';
import { type Asked, type Decided, isSameParty } from '../../changes/plan/asked-and-decided.ts';
import { itemsOf } from '../../changes/plan/plan.ts';
import type { Proposal } from '../../changes/proposals/proposal.ts';
import { sizeOf } from '../../changes/proposals/size.ts';
import { askedBy, confirmedText, stoppedIn, toldText } from '../../changes/tell/agreement.ts';
import { titleOf } from '../../changes/tell/title.ts';
import { counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { listed, sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { callerOf, defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
const STATUSES = ['confirmation_required', 'waiting', ...RECORD_STATUSES, 'declined', 'expired'] as const;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'What this server changed, or began to change, in this account: what waits, then the newest first; not what others changed. interrupted: the server ended in the middle; waiting: for a person’s decision.',
  effect: 'read',
  input: { status: z.enum(STATUSES).optional(), limit: z.int().min(1).max(MAX_LIMIT).optional() },
  output: {
    account: sentenceOut().optional(),
    changes: z.array(
      z.looseObject({
        changeId: listed(z.string()),
        kind: z.string(),
        status: listed(z.string()),
        at: z.string(),
        summary: sentenceOut(),
        done: z.number(),
        of: z.number(),
        asked: unlisted(sentenceOut()),
        decidedBy: unlisted(sentenceOut()),
        receipt: unlisted(sentenceOut()),
        stopped: unlisted(sentenceOut()),
      }),
    ),
    more: unlisted(sentenceOut()),
  },
  cuttable: ['changes'],
  run: async ({ status, limit = DEFAULT_LIMIT }, context) => {
    const { client, account, journal, proposals, takeNotice, otherAccounts, signal } = context;
    const notice = await takeNotice();
    // One more tells whether there are more.
    const { waits: all, others: found, newer } = await changesIn({ limit: limit + 1, status }, { journal, proposals });
    const caller = callerOf(context);
    // Of several people, what others asked for must not hide what this one waits for.
    const isCallers = ({ asked }: Proposal) => isSameParty(asked.by, caller);
    const waits = context.call.person === undefined ? all : all.toSorted((one, other) => Number(isCallers(other)) - Number(isCallers(one)));
    const others = found.slice(0, Math.max(0, limit - waits.length));
    const oldest = others.findLast(({ record }) => record !== undefined)?.record?.intent.changeId;
    const undone = oldest === undefined ? new Map<string, UndoRecord>() : await undoneSince(oldest, journal);
    const begun = others.flatMap(({ record }) => record ?? []);
    // One reading of the list of channels for all of them.
    const now = await channelsNow(channelsOf(begun), { client, account, each: false }, signal);
    const changed = await changedSince(begun, { journal, now, undone });
    const ended = others.map(async ({ record, proposal }) => {
      if (record === undefined) return proposalOut(proposal);
      const { changeId } = record.intent;
      return {
        ...changeOut(record, { undone: undone.get(changeId), changed: changed.get(changeId) }),
        settledBy: await settledBy(record, journal),
      };
    });
    const changes = [...waits.slice(0, limit).map(proposalOut), ...(await Promise.all(ended))];
    const more = moreText({ waiting: Math.max(0, waits.length - limit), haveOthers: found.length > others.length, limit, newer });
    return { account: notice ?? (changes.length === 0 ? await otherAccounts() : undefined), changes, more };
  },
});

interface Left {
  readonly waiting: number;
  readonly haveOthers: boolean;
  readonly limit: number;
  readonly newer: readonly { readonly problem: Sentence }[];
}

/** What is left out, and how it is listed. */
function moreText({ newer, ...left }: Left): Sentence | undefined {
  const [first, ...more] = newer.map(({ problem }) => problem);
  const others = more.length === 0 ? [] : [sentence`So ${more.length === 1 ? 'was' : 'were'} ${counted(more.length, 'other')}.`];
  const texts = [leftText(left), first, ...others].flatMap((text) => text ?? []);
  return texts.length === 0 ? undefined : joined(texts);
}

function leftText({ waiting, haveOthers, limit }: Omit<Left, 'newer'>): Sentence | undefined {
  const parts = [
    ...(waiting > 0 ? [sentence`${counted(waiting, 'more change')} ${waiting === 1 ? 'waits' : 'wait'}`] : []),
    ...(haveOthers ? [waiting > 0 ? sentence`others ran or ended` : sentence`there are more that ran or ended`] : []),
  ];
  if (parts.length === 0) return undefined;
  const how = limit < MAX_LIMIT ? sentence`a higher limit (up to ${MAX_LIMIT}) or a status` : sentence`a status`;
  return sentence`Not listed: ${joined(parts, ', and ')}. With ${how} they are.`;
}

function proposalOut(proposal: Proposal) {
  const { changeId, plan, at, decided } = proposal;
  const { kind, preview } = plan;
  const summary = sentence`${titleOf(preview.summary, itemsOf(plan))}.`;
  const status = proposalStatus(proposal);
  return {
    ...{ changeId, kind, status, at: minuteOf(new Date(at).toISOString()), summary, asked: askedIn(proposal.asked), done: 0 },
    of: sizeOf(plan),
    ...(status === 'declined' &&
      decided !== undefined && { declinedBy: decided.how, decidedBy: nameOf(decided), decidedAt: decided.at && minuteOf(decided.at) }),
  };
}

/** `by nightly through Codex` */
const askedIn = (asked: Asked | undefined): Sentence | undefined => (asked && askedBy(asked)) || undefined;

/** Of who decided, where that is known. */
const nameOf = ({ by }: Decided): Sentence | undefined => by && word(by.name);

const minuteOf = (time: string): string => `${time.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`;

function changeOut(record: ChangeRecord, since: Since) {
  const { undone } = since;
  const { intent, bulk, status } = record;
  const stopped = stoppedIn(record, 'assistant');
  const items = record.items.filter((item) => !isLeftAlone(intent.kind, item));
  const count = (outcome: Outcome) => bulk?.count(outcome) ?? items.filter((item) => item.outcome === outcome).length;
  return {
    changeId: intent.changeId,
    kind: intent.kind,
    status,
    at: minuteOf(intent.at),
    summary: sentence`${titleOf(intent.summary, intent.items)}.`,
    undoneBy: undone?.whole ? undone.by : undefined,
    partlyUndoneBy: undone?.whole === false ? undone.by : undefined,
    asked: askedIn(record.agreed[0]?.asked),
    confirmedBy: intent.decided.how,
    decidedBy: nameOf(intent.decided),
    decidedAt: intent.decided.at && minuteOf(intent.decided.at),
    receipt: intent.standing && confirmedText(record, 'assistant'),
    stopped: stopped && toldText(stopped),
    done: count('done'),
    failed: count('failed') || undefined,
    unknown: count('unknown') || undefined,
    notDone: count('not_done') || undefined,
    of: bulk?.total ?? items.length,
    undo: undone?.whole ? undefined : undoOf(record, since).possible,
  };
}
