import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskReason } from '../../errors/disk-error.ts';
import { VideoHostingError, writtenByNewer } from '../../errors.ts';
import { appendToFile, codeOf, makeFolder } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { sentence, word } from '../../text/sentence.ts';

/** The ids of the approvals that were revoked. Throws `journal_failed` where that can’t be told. */
export async function revocations(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw new VideoHostingError('journal_failed', sentence`What was revoked can’t be read (${diskReason(error)}), so nothing is covered.`);
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const ids = lines.map((line, index) => {
    const { at, approval } = fieldsIn(parseJsonOrUndefined(line));
    if (typeof approval === 'string') return approval;
    if (typeof at === 'string' && approval === undefined)
      throw writtenByNewer(
        sentence`Line ${index + 1} of what was revoked`,
        sentence`Tell the user: with that version it counts.`,
        'journal_failed',
      );
    throw new VideoHostingError('journal_failed', sentence`Line ${index + 1} of what was revoked is damaged, so nothing is covered.`, {
      hint: sentence`Tell the user: ${word(file, 1_000)} has to be mended.`,
    });
  });
  return new Set(ids);
}

/** Adds entries, which are never taken back; none for what was revoked before. */
export async function revoke(file: string, ids: readonly string[], at: Date): Promise<void> {
  // Where that can’t be told, one more does no harm.
  const gone = await revocations(file).catch(() => new Set<string>());
  const added = [...new Set(ids)].filter((id) => !gone.has(id));
  const lines = added.map((approval) => `${JSON.stringify({ at: at.toISOString(), approval })}\n`);
  await makeFolder(dirname(file));
  // On a line of its own, also after one that was not written whole.
  if (added.length > 0) await appendToFile(file, `\n${lines.join('')}`, { mode: 0o600, flush: true });
}
