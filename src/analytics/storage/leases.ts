import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../contract.ts';
import { without } from '../spans.ts';
import type { Lease } from './contract.ts';

export interface Claim {
  readonly id: string;
  readonly spans: readonly Span[];
}

interface ClaimBoard {
  /** The claims that have not expired, in the same order for all processes. */
  read(): Promise<readonly Claim[]>;
  write(claim: Claim): Promise<void>;
  renew(claim: Claim): Promise<void>;
  remove(id: string): Promise<void>;
  /** After this long, every process sees a claim that was written. */
  readonly visibleAfterMs: number;
  readonly heartbeatMs: number;
}

/**
 * Reserves spans, so that two processes don't read the same span: writes a claim, reads the other claims, and gives up the
 * spans of earlier ones. No lock is needed: if two processes do read the same span, only one of the readings is stored.
 */
export async function takeLease(board: ClaimBoard, id: string, wanted: readonly Span[]): Promise<Lease> {
  const none: Lease = { spans: [], end: async () => {} };
  const free = without(wanted, spansOf(await board.read()));
  if (free.length === 0) return none;
  await board.write({ id, spans: free });
  if (board.visibleAfterMs > 0) await sleep(board.visibleAfterMs);
  const all = await board.read();
  const own = all.findIndex((claim) => claim.id === id);
  const earlier = spansOf(own < 0 ? all : all.slice(0, own));
  const spans = without(free, earlier);
  if (spans.length === 0) {
    await board.remove(id);
    return none;
  }
  if (earlier.length > 0) await board.write({ id, spans });
  const heartbeat = setInterval(() => void board.renew({ id, spans }).catch(() => undefined), board.heartbeatMs).unref();
  return {
    spans,
    async end() {
      clearInterval(heartbeat);
      await board.remove(id);
    },
  };
}

const spansOf = (claims: readonly Claim[]): Span[] => claims.flatMap(({ spans }) => spans);
