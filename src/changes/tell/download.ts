import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { EmailDownload, EmailDownloads } from '../kinds/emails/email-downloads.ts';
import { isSameParty, type Party } from '../plan/asked-and-decided.ts';
import { DOWNLOAD_HOURS } from '../plan/traits/emails.ts';

/** A file of collected emails that people download. */
export interface ReleasedFile {
  /** Undefined once it was removed. */
  readonly file: EmailDownload | undefined;
  readonly isCsv: boolean;
  /** Who asked. */
  readonly asker: Party | undefined;
  /** Who approved. */
  readonly approver: Party | undefined;
  /** Whose it is, until when, in a sentence. */
  readonly words: Sentence;
}

/** Of a change that gave one out. */
export async function releasedFile(
  { items, intent, agreed }: Pick<ChangeRecord, 'items' | 'intent' | 'agreed'>,
  downloads: Pick<EmailDownloads, 'find'>,
): Promise<ReleasedFile | undefined> {
  const name = items[0]?.result?.download;
  if (name === undefined) return undefined;
  const file = await downloads.find(name);
  const [asker, approver] = [agreed[0]?.asked?.by, intent.decided.by];
  const isOne = isSameParty(asker, approver);
  const who = [
    ...(asker === undefined ? [] : [sentence`${word(asker.name)}, who asked${isOne ? ' and approved' : ''}`]),
    ...(approver === undefined || isOne ? [] : [sentence`${word(approver.name)}, who approved`]),
  ];
  const words =
    file === undefined
      ? sentence`The file was removed ${DOWNLOAD_HOURS} hours after it was written. Nothing else of it is kept.`
      : sentence`The file is on the page for ${joined(who, ', and ')}, until ${timeText(file.untilMs)}; then it is removed.`;
  return { file, isCsv: name.endsWith('.csv'), asker, approver, words };
}
