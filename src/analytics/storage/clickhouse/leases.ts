/**
 * Which process reads which span of views at the moment. The folder's counterpart is `store/leases.ts`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../../contract.ts';
import { without } from '../../spans.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Lease } from '../view-writer.ts';
import type { Connection } from './connection.ts';
import { TABLES } from './tables.ts';

/** Who shows no sign of life for so long has lost what it took, in seconds. */
const SILENT_S = 45;
const HEARTBEAT_MS = 10_000;
/** What is written at the same moment is there for all to see after this long. */
const SETTLE_MS = 400;

interface Claim {
  readonly token: string;
  /** By the server's clock, in seconds. */
  readonly firstAt: number;
  readonly spans: readonly Span[];
}

/**
 * Spares those that keep views in one store reading the same twice. ClickHouse has no compare-and-set: a claim is written,
 * then it is looked who else has, and the first by the server's clock has it. A courtesy and no more: where that fails, as
 * when a claim takes longer to arrive than the rest, a span is read twice, and one of the two readings is kept.
 */
export function createStoreLeases(connection: Connection, account: string) {
  const table = tableIn(connection.address.database, TABLES.leases);
  /** What this process put away itself, though the store may not have heard of it. */
  const ended = new Set<string>();

  async function claims(): Promise<Claim[]> {
    const { rows } = await connection.select({
      sql: (
        bind,
      ) => `SELECT token, min(at), argMax(spans, turn) FROM ${table} WHERE account = ${bind(account)} AND at > toInt64(now()) - 86400
        GROUP BY token HAVING max(at) > toInt64(now()) - ${SILENT_S}`,
    });
    const all = rows.map(([token, firstAt, spans]) => ({
      token: String(token),
      firstAt: Number(firstAt),
      spans: spansFrom(String(spans)),
    }));
    return all.filter(({ token }) => !ended.has(token));
  }

  const claim = (token: string, turn: number, spans: readonly Span[]): Promise<void> =>
    connection.run({
      sql: (bind) =>
        `INSERT INTO ${table} (account, token, turn, at, spans) SELECT ${bind(account)}, ${bind(token)}, ${turn}, toInt64(now()), ${bind(JSON.stringify(spans))}`,
      timeoutMs: 15_000,
    });

  return {
    /** Takes what of some spans nobody else has; it is held until `end`, or as long as this process shows that it lives. */
    async take(wanted: readonly Span[]): Promise<Lease> {
      const free = without(
        wanted,
        (await claims()).flatMap(({ spans }) => spans),
      );
      if (free.length === 0) return { spans: [], end: async () => {} };
      const token = randomUUID();
      let turn = 0;
      await claim(token, turn, free);
      await sleep(SETTLE_MS);
      const all = await claims();
      const mine = all.find((one) => one.token === token);
      const rivals = all.filter((one) => one.token !== token && (mine === undefined || isBefore(one, mine)));
      const spans = without(
        free,
        rivals.flatMap((rival) => rival.spans),
      );
      const say = (now: readonly Span[]): Promise<void> => {
        turn += 1;
        return claim(token, turn, now).catch(() => undefined);
      };
      if (spans.length < free.length || rivals.length > 0) await say(spans);
      if (spans.length === 0) return { spans: [], end: async () => {} };
      const beat = setInterval(() => void say(spans), HEARTBEAT_MS).unref();
      return {
        spans,
        async end() {
          clearInterval(beat);
          ended.add(token);
          await say([]);
        },
      };
    },
  };
}

const isBefore = (one: Claim, other: Claim): boolean =>
  one.firstAt < other.firstAt || (one.firstAt === other.firstAt && one.token < other.token);

function spansFrom(text: string): Span[] {
  // Written above, in a row that is there whole or not at all.
  return JSON.parse(text) as Span[];
}
