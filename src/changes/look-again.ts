import { undefinedIfRefused, VideoHostingError } from '../errors.ts';
import { withTimeLimit } from '../platform/limited-signal.ts';
import type { ServiceClient } from '../service/client.ts';
import type { ChannelId } from '../service/ids.ts';
import { asItLooks, cleanText } from '../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import type { ChangeRecord, ItemState } from './journal/change-record.ts';
import { channelItemIn } from './kinds/channels/channel-change.ts';
import { SETTLING_MS } from './kinds/channels/last-sent.ts';
import { hasNewText, outcomeWithoutResponse } from './kinds/channels/verify.ts';
import type { KindTraits } from './kinds/kind-traits.ts';
import { TRAITS } from './kinds/traits.ts';
import { KINDS, type KindRow } from './kinds.ts';
import { listText } from './list-text.ts';
import type { ItemOutcome } from './plan.ts';
import type { PlanDeps } from './plan-deps.ts';
import { stableJson } from './stable-json.ts';

type LookDeps = Pick<PlanDeps, 'client' | 'account' | 'journal'>;

/** A later look must not hold an answer up. */
const MAX_LOOK_MS = 5_000;

/**
 * Looks in the account for what is not known of a change that is over, and writes what it finds to the change's journal. Only
 * reads the account; what can't be read stays as it is. Changes of many ids are left alone: nothing shows where a video is.
 */
export async function lookAgain(record: ChangeRecord, deps: LookDeps, signal: AbortSignal): Promise<ChangeRecord> {
  const unknown = record.items.filter(({ outcome }) => outcome === 'unknown');
  const way = KINDS[record.intent.kind].lookAgain;
  if (record.status === 'running' || way === 'no' || unknown.length === 0) return record;
  const found = await withTimeLimit(MAX_LOOK_MS, signal, (limited) => LOOKS[way](unknown, record, deps, limited)).catch(
    (error: unknown) => {
      if (error instanceof VideoHostingError) return new Map<string, ItemOutcome>();
      throw error;
    },
  );
  const before = new Map(unknown.map((state) => [state.id, state]));
  const news = new Map([...found].filter(([id, outcome]) => isNews(outcome, before.get(id))));
  // A journal that can't be written tells it less well, and no less truly.
  return news.size === 0 ? record : deps.journal.addFound(record, news).catch(() => record);
}

/** Whether an earlier look did not find the same. */
const isNews = ({ outcome, seen, candidates }: ItemOutcome, before: ItemState | undefined): boolean =>
  outcome !== 'unknown' || before?.found !== true || stableJson([seen, candidates]) !== stableJson([before.seenAfter, before.candidates]);

type Found = ReadonlyMap<string, ItemOutcome>;
type Look = (unknown: readonly ItemState[], record: ChangeRecord, deps: LookDeps, signal: AbortSignal) => Promise<Found>;

const lookAtChannels: Look = async (unknown, _record, { client }, signal) => {
  const looks = await Promise.all(
    unknown.map(async (state) => {
      const item = channelItemIn(state);
      const shown = await client.channels.get(state.id as ChannelId, signal).catch(undefinedIfRefused); // the id of a record
      if (item === undefined || shown?.id !== state.id) return [];
      const isLate = state.at !== undefined && Date.now() - Date.parse(state.at) > SETTLING_MS;
      const inTime = isInTime(shown.updated, state, hasNewText(item), client);
      return [[state.id, outcomeWithoutResponse(shown, item, { inTime, isLate })] as const];
    }),
  );
  return new Map(looks.flat());
};

/**
 * Whether a channel was updated while the request for it was under way. Of a server that was killed, nothing tells when that ended:
 * an update soon after counts only where a text tells it from what somebody may have done by hand instead.
 */
function isInTime(updated: string | undefined, { sentAt, lostAt }: ItemState, isTold: boolean, { serviceClock }: ServiceClient): boolean {
  if (sentAt === undefined || (lostAt === undefined && !isTold)) return false;
  const sentMs = Date.parse(sentAt);
  return serviceClock.isBetween(updated, sentMs, lostAt === undefined ? sentMs + SETTLING_MS : Date.parse(lostAt));
}

/** Tells which record may be the new one. It stays not known: another person may have made one of that name. */
const lookForNew: Look = async (unknown, { intent: { kind, facts }, items }, { account }, signal) => {
  const { record } = TRAITS[kind];
  const all = await (record === 'channel' ? account.allChannels({ signal }) : account.allProjects({ signal }));
  const namesakes = 'namesakes' in facts ? facts.namesakes : [];
  // One that is not known may have the id of what was found of it before.
  const others = new Set<string | undefined>([
    ...namesakes,
    ...items.flatMap(({ outcome, result }) => (outcome === 'done' ? result?.id : [])),
  ]);
  return new Map(
    unknown.map(({ id, after }) => {
      const ids = all
        .filter(({ id, name = '' }) => asItLooks(name) === asItLooks(after.name ?? '') && !others.has(id))
        .map((record) => cleanText(record.id, 80));
      return [id, { outcome: 'unknown', reason: newRecordText(record, ids), candidates: ids }];
    }),
  );
};

function newRecordText(what: KindTraits['record'], ids: readonly string[]): Sentence {
  const [only, ...more] = ids;
  if (only === undefined)
    return sentence`Looked for again, no ${what} of that name is there, so it was probably not created. Look at the list of ${what}s before it is created again.`;
  const found =
    more.length === 0
      ? sentence`A new ${what} of that name is there now (${word(only)}); it is`
      : sentence`New ${what}s of that name are there now (${listText(ids)}); one of them is`;
  return sentence`${found} probably this one. Look at it, and ask the user, before it is created again.`;
}

const LOOKS: Readonly<Record<Exclude<KindRow['lookAgain'], 'no'>, Look>> = { channels: lookAtChannels, 'new-records': lookForNew };
