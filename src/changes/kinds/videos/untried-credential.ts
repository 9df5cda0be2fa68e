import { undefinedIfRefused } from '../../../errors.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { MOVES } from '../../plan/traits/index.ts';

/** Moves that are looked at, the newest first: who was refused so often knows it. */
const MAX_LOOKED = 20;

/** That it is not known whether the credential may move videos. Once a move succeeded it is, and nothing is said. */
export async function untriedCredential({
  movesByKey,
  journal,
}: Pick<PlanDeps, 'movesByKey' | 'journal'>): Promise<NoticeOf<'move_untried'>[]> {
  if (!movesByKey) return [];
  let looked = 0;
  for await (const { bulk } of journal.each(MOVES)) {
    if (bulk !== undefined && bulk.count('done') > 0) return [];
    looked += 1;
    if (looked >= MAX_LOOKED) break;
  }
  return [{ kind: 'move_untried' }];
}

/** That the JWT for videos has expired: by the clock of the service, which is what refuses it. */
export async function expiredJwt(
  { videosJwt, client }: Pick<PlanDeps, 'videosJwt' | 'client'>,
  signal: AbortSignal,
): Promise<NoticeOf<'jwt_expired'>[]> {
  if (videosJwt === undefined) return [];
  const differenceMs = () => client.serviceClock.differenceMs();
  // No answer has told it yet: one of any request does.
  if (differenceMs() === undefined) await client.channels.list({ size: 1 }, signal).catch(undefinedIfRefused);
  if (Date.parse(videosJwt.expires) >= Date.now() + (differenceMs() ?? 0)) return [];
  return [{ kind: 'jwt_expired', on: videosJwt.expires.slice(0, 10), setting: videosJwt.setting }];
}

/** What the last moves with a credential told of it, and on which day; undefined where none told anything. */
export async function lastTried(
  journal: PlanDeps['journal'],
  credential: string | undefined,
): Promise<{ readonly on: string; readonly worked: boolean } | undefined> {
  let looked = 0;
  for await (const record of journal.each(MOVES)) {
    looked += 1;
    if (looked > MAX_LOOKED) break;
    if (record.ended?.credential !== credential) continue;
    const worked = (record.bulk?.count('done') ?? 0) > 0;
    if (worked || isRefusedForKey(record)) return { on: (record.resumed?.at ?? record.intent.at).slice(0, 10), worked };
  }
  return undefined;
}

/** Whether the service moved nothing for want of a JWT. */
export const isRefusedForKey = ({ bulk, ended }: ChangeRecord): boolean => bulk?.count('done') === 0 && ended?.wantsJwt === true;
