import { createReadStream } from 'node:fs';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { type ReleasedFile, releasedFile } from '../../changes/tell/download.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { sentence } from '../../text/sentence.ts';
import type { PageResponse, Viewer } from '../api-messages.ts';
import type { ChangeView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';

/** Files of collected emails, for who asked and who approved. */
export function createEmailFiles({ journal, emailDownloads }: Pick<PageDeps, 'journal' | 'emailDownloads'>) {
  return {
    /** Whose it is; undefined where there never was one. */
    async view(record: ChangeRecord, viewer: Viewer | undefined): Promise<ChangeView['file']> {
      const released = await releasedFile(record, emailDownloads);
      if (released === undefined) return undefined;
      const format = released.isCsv ? ('CSV' as const) : ('JSON' as const);
      return { words: released.words, ...definedFields({ format: released.file && mayHave(released, viewer) ? format : undefined }) };
    },
    async download(changeId: string, viewer: Viewer | undefined): Promise<PageResponse> {
      const record = await journal.read(changeId);
      const released = record && (await releasedFile(record, emailDownloads));
      if (released === undefined) throw new PageProblem(404, sentence`There is no file of collected emails of this change.`);
      const { file, words, isCsv } = released;
      if (file === undefined) throw new PageProblem(404, words);
      if (!mayHave(released, viewer)) throw new PageProblem(422, sentence`Refused: it is not for whoever is signed in here. ${words}`);
      const [contentType, ending] = isCsv ? ['text/csv; charset=utf-8', 'csv'] : ['application/json; charset=utf-8', 'json'];
      return { status: 200, contentType, body: createReadStream(file.path), fileName: `collected-emails-${changeId}.${ending}` };
    },
  };
}

/** As long as they have the role in which they asked or approved: whoever comes to the machine itself without a sign-in is neither. */
function mayHave({ asker, approver }: ReleasedFile, viewer: Viewer | undefined): boolean {
  if (viewer === undefined) return false;
  const { id, roles } = viewer;
  return (asker?.id === id && roles.includes('propose')) || (approver?.id === id && roles.includes('approve'));
}
