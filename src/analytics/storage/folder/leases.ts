import { randomUUID } from 'node:crypto';
import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeIfPossible, writeWholeFile } from '../../../platform/files.ts';
import { parseJsonOrUndefined } from '../../../platform/parse-json.ts';
import { hasProcessEnded, processName } from '../../../platform/process-liveness.ts';
import type { Span } from '../../contract.ts';
import type { Lease } from '../contract.ts';
import { type Claim, takeLease } from '../leases.ts';
import { namesIn } from '../work-folder.ts';

/** A claim without a heartbeat for this long has expired. */
const EXPIRY_MS = 10_000;
const HEARTBEAT_MS = 2_000;

/** Leases of the processes that use one folder. A claim is a file that is named after its process and contains the spans. */
export function createFolderLeases(folder: string): (wanted: readonly Span[]) => Promise<Lease> {
  async function read(): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (const id of await namesIn(folder)) {
      const path = join(folder, id);
      const [info, text] = await Promise.all([stat(path).catch(() => undefined), readFile(path, 'utf8').catch(() => '')]);
      const isLive = info !== undefined && Date.now() - info.mtimeMs < EXPIRY_MS && !hasProcessEnded(id);
      if (isLive) claims.push({ id, spans: spansFrom(text) });
    }
    return claims.sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  }

  return async (wanted) => {
    await makeFolder(folder);
    const id = `${processName()}~${Date.now().toString(36).padStart(10, '0')}${randomUUID().slice(0, 8)}`;
    const file = join(folder, id);
    const board = {
      read,
      write: ({ spans }: Claim) => writeWholeFile(file, JSON.stringify(spans), { mode: 0o600 }),
      renew: () => utimes(file, new Date(), new Date()),
      remove: () => removeIfPossible(file),
      visibleAfterMs: 0,
      heartbeatMs: HEARTBEAT_MS,
    };
    return takeLease(board, id, wanted);
  };
}

/** The time of the claim, then random characters. */
const rankOf = ({ id }: Claim): string => id.split('~')[2] ?? '';

/** As `write` above wrote them; a partly written file is no JSON. */
const spansFrom = (text: string): Span[] => (parseJsonOrUndefined(text) ?? []) as Span[];
