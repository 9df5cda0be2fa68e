import { appendFile, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { codeOf, makeFolder } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/** Since when approvals are revoked, by their ids: ISO 8601, or undefined where an entry of another hand doesn’t tell. */
export type Revoked = ReadonlyMap<string, string | undefined>;

/** The approvals that were revoked. Throws `journal_failed` where that can’t be told. */
export async function revocations(file: string): Promise<Revoked> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw new VideoHostingError('journal_failed', `What was revoked can’t be read (${codeOf(error) ?? 'no code'}), so nothing is covered.`);
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line, index) => {
    const { approval, at } = fieldsIn(parseJsonOrUndefined(line));
    if (typeof approval === 'string') return [approval, typeof at === 'string' ? at : undefined] as const;
    throw new VideoHostingError('journal_failed', `Line ${index + 1} of what was revoked is damaged, so nothing is covered.`, {
      hint: `Tell the user: ${file} has to be mended.`,
    });
  });
  // The first entry of an approval counts.
  return new Map(entries.toReversed());
}

/** Adds entries, which are never taken back, for those that were not revoked before; returns since when the others were. */
export async function revoke(file: string, ids: readonly string[], at: Date): Promise<Revoked> {
  // While what was revoked can't be read nothing is covered; once it is mended, an entry of now has to be there.
  const before = await revocations(file).catch(() => new Map() as Revoked);
  const fresh = ids.filter((id) => !before.has(id));
  const lines = fresh.map((approval) => `${JSON.stringify({ at: at.toISOString(), approval })}\n`);
  await makeFolder(dirname(file));
  // On a line of its own, also after one that was not written whole.
  if (fresh.length > 0) await appendFile(file, `\n${lines.join('')}`, { mode: 0o600, flush: true });
  return new Map([...before].filter(([id]) => ids.includes(id)));
}
