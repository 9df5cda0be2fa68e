import { randomUUID } from 'node:crypto';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeIfPossible } from '../../../platform/files.ts';
import type { Span } from '../../contract.ts';
import { without } from '../../spans.ts';
import type { Lease } from '../view-writer.ts';
import { namesIn } from './collect-garbage.ts';
import { isGone, processMark } from './processes.ts';

/** Who shows no sign of life for this long has lost what it took. */
const SILENT_MS = 10_000;
const HEARTBEAT_MS = 2_000;

/**
 * Spares processes on one folder reading the same twice. A courtesy and no more: whoever does it nevertheless, or takes
 * over from one that is only slow, does no harm.
 */
export function createLeases(folder: string) {
  async function others(mine?: string): Promise<{ name: string; spans: Span[] }[]> {
    const found = [];
    for (const name of await namesIn(folder)) {
      if (name === mine || isGone(name.split('~').slice(0, 2).join('~'))) continue;
      const path = join(folder, name);
      const [info, text] = await Promise.all([stat(path).catch(() => undefined), readFile(path, 'utf8').catch(() => '')]);
      if (info !== undefined && Date.now() - info.mtimeMs < SILENT_MS) found.push({ name, spans: spansFrom(text) });
    }
    return found;
  }

  return {
    /** Takes what of the spans nobody else has taken. */
    async take(wanted: readonly Span[]): Promise<Lease> {
      await makeFolder(folder);
      const rank = `${Date.now().toString(36).padStart(10, '0')}${randomUUID().slice(0, 8)}`;
      const name = `${processMark()}~${rank}`;
      const file = join(folder, name);
      const free = without(
        wanted,
        (await others()).flatMap(({ spans }) => spans),
      );
      if (free.length === 0) return { spans: [], end: async () => {} };
      await writeFile(file, JSON.stringify(free), { mode: 0o600 });
      // Of those who took the same at the same moment, the first by rank has it.
      const rivals = (await others(name)).filter((other) => (other.name.split('~')[2] ?? '') < rank);
      const spans = without(
        free,
        rivals.flatMap((rival) => rival.spans),
      );
      const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS).unref();
      const end = async () => {
        clearInterval(beat);
        await removeIfPossible(file);
      };
      if (spans.length === 0) await end();
      else if (spans.length !== free.length || rivals.length > 0) await writeFile(file, JSON.stringify(spans), { mode: 0o600 });
      return { spans, end };
    },
  };
}

function spansFrom(text: string): Span[] {
  try {
    const value: unknown = JSON.parse(text);
    // Written above; half a file is no JSON.
    return Array.isArray(value) ? (value as Span[]) : [];
  } catch {
    return [];
  }
}
