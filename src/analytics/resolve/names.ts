import { type Catalogue, setAsideText } from '../../account/catalogue.ts';
import { type Referable, shownName } from '../../account/references.ts';
import { VideoHostingError } from '../../errors.ts';
import { usable } from '../../files/known-videos.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { AnswerInput, Naming } from '../assemble/answer.ts';
import type { Dimension } from '../dimensions.ts';
import type { QuestionContext } from '../questions/question-context.ts';
import { countryName } from './countries.ts';

const MAX_TITLE = 200;
const MAX_ROWS = 3;

/** The names of keys, and notes on the dimensions of which they are missing. */
export async function namesFor(groupBy: readonly Dimension[], { account, catalogue, signal }: QuestionContext) {
  const notes: { readonly of: Dimension; readonly text: Sentence }[] = [];
  const records = async (kind: 'channel' | 'project', read: () => Promise<readonly Referable[]>): Promise<AnswerInput['naming']> => {
    if (!groupBy.includes(kind)) return {};
    const found = await read().catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      notes.push({ of: kind, text: sentence`Names of ${kind}s could not be read: ${error.message}` });
      return [];
    });
    return { [kind]: byKey(`${kind}_name`, found) };
  };
  const videos = groupBy.includes('video') ? await catalogue() : undefined;
  if (groupBy.includes('video') && usable(videos) === undefined) notes.push({ of: 'video', text: withoutTitles(videos) });
  // Only reading views reports progress.
  const [channels, projects] = await Promise.all([
    records('channel', () => account.allChannels({ signal })),
    records('project', () => account.allProjects({ signal })),
  ]);
  const titles = usable(videos) && { video: { column: 'video_title', nameOf: (key: string) => titleOf(videos?.byKey(key)?.title) } };
  const countries = groupBy.includes('country') ? { country: { column: 'country_name', nameOf: countryName } } : {};
  const naming: AnswerInput['naming'] = { ...channels, ...projects, ...titles, ...countries };
  return { naming, notes, untitled: usable(videos) && untitledText(videos), listed: usable(videos) };
}

const withoutTitles = (catalogue: Catalogue | undefined): Sentence =>
  catalogue?.unusable === undefined ? NO_TITLES : sentence`Titles of videos are missing. ${catalogue.unusable.message}`;
const NO_TITLES = sentence`Titles of videos are missing: no video catalogue is set (VIDEO_HOSTING_VIDEO_CATALOGUE), and the service lists no videos.`;

/** Why a video has no title, where there is a catalogue. */
const untitledText = (catalogue: Catalogue | undefined): Sentence =>
  catalogue === undefined || catalogue.setAside.count === 0
    ? sentence`the video catalogue does not have them.`
    : sentence`no row of the video catalogue that can be used has them. ${setAsideText(catalogue, MAX_ROWS)}`;

const titleOf = (title: string | undefined): string | null => (title === undefined ? null : cleanText(title, MAX_TITLE));

function byKey(column: string, records: readonly Referable[]): Naming {
  const names = new Map(records.flatMap((record) => (record.key === undefined ? [] : [[record.key, shownName(record)] as const])));
  return { column, nameOf: (key) => names.get(key) ?? null };
}
