import { lackingText, OF_OTHER, setAsideText } from '../../account/catalogue.ts';
import { SETTINGS } from '../../config/settings.ts';
import { counted } from '../../text/counted.ts';
import { joined, sentence } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

const EXPORT_IT = sentence`Export this account’s list from its dashboard, and set ${SETTINGS.videoCatalogue.variable} to it.`;

export async function tryCatalogue(workspace: Workspace | undefined): Promise<Finding | undefined> {
  const about = 'Video catalogue';
  const catalogue = await workspace?.catalogue();
  if (catalogue === undefined) return undefined;
  const { size, setAside, unusable, lacks } = catalogue;
  if (unusable === undefined) {
    const words = joined([
      sentence`${counted(size, 'video')}.`,
      ...(setAside.count === 0 ? [] : [setAsideText(catalogue)]),
      ...(lacks === undefined ? [] : [lackingText(lacks)]),
    ]);
    if (catalogue.isOfOther === true) return note(about, sentence`${words} ${OF_OTHER}`, EXPORT_IT);
    return lacks === undefined
      ? fine(about, words)
      : note(about, words, sentence`If you want that, export the list anew, with a column of ${lacks}s.`);
  }
  const lines = (unusable.facts.fields ?? []).map(({ field, problem }) => sentence`${field} ${problem}`);
  return wrong(about, joined([unusable.message, ...lines]), unusable.hint);
}
