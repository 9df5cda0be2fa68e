import type { VideoHostingError } from '../errors.ts';
import { sentence } from '../text/sentence.ts';
import {
  assertNamedColumns,
  assertOnlyColumn,
  type ContextColumn,
  columnsText,
  contextIndexes,
  IN_FIRST_LINE,
  indexOfVideos,
  isCalled,
  isVideoColumn,
  type ListColumns,
  shownColumn,
} from './columns.ts';
import { createFormatCheck } from './id-format.ts';
import { assertUsable, isKnownVideo, type KnownVideos, usable } from './known-videos.ts';
import { fileRefused } from './named-files.ts';
import { unescapeFormulas } from './spreadsheet-cell.ts';

type Row = readonly string[];

export interface VideoColumn {
  readonly index: number;
  /** Undefined where the first row holds a video. */
  readonly header: string | undefined;
  /** How many columns the table has. */
  readonly columns: number;
  /** The indexes of the columns beside it that are asked for. */
  readonly context: Partial<Record<ContextColumn, number>>;
}

/** The column that is named after ids or keys, else the only one, else the one whose values the catalogue has. */
export function findVideoColumn(rows: readonly Row[], fileName: string, videos: KnownVideos | undefined, asked: ListColumns): VideoColumn {
  const [head = []] = rows;
  const columns = head.length;
  assertNamedColumns(head, fileName, asked);
  const context = contextIndexes(head, fileName, asked);
  const grouping = context.channel ?? -1;
  const named = indexOfVideos(head, asked);
  if (typeof asked.column === 'number' && !head.some(isVideoColumn)) return { index: named, header: undefined, columns, context };
  if (named >= 0) {
    const header = head[named] ?? '';
    assertOnlyColumn(head, header, fileName, asked);
    assertTranslatable(header, asked.wanted, fileName, videos);
    return { index: named, header, columns, context };
  }
  const isKnown = (row: Row | undefined, index: number) => isKnownVideo(unescapeFormulas(row?.[index]?.trim() ?? ''), videos);
  const known = head.map((_, index) => (index === grouping ? 0 : rows.filter((row) => isKnown(row, index)).length));
  const most = Math.max(0, ...known);
  const isOnly = known.filter((count) => count > 0).length === 1 && areLikeReferences(rows, known.indexOf(most), videos);
  const isEnough = most > 0 && (most * 2 >= rows.length - 1 || isOnly);
  if ((columns > 1 || grouping >= 0) && !isEnough) {
    assertUsable(videos);
    throw noVideoColumn(fileName, rows, asked);
  }
  const index = columns > 1 ? known.indexOf(most) : 0;
  const rival = known.findIndex(
    (count, other) => other !== index && count > 0 && count * 2 >= rows.length - 1 && areOthers(rows, index, other, videos),
  );
  if (columns > 1 && rival >= 0) throw severalColumns(fileName, [index, rival], asked);
  const [first = '', ...below] = rows.map((row) => unescapeFormulas(row[index]?.trim() ?? ''));
  const values = below.filter((value) => value !== '');
  const isTitled = values.some((value) => (videos?.byTitle(value).length ?? 0) > 0);
  const isUnknown = isEnough && !looksLikeReference(first, videos);
  const isHeader =
    Object.keys(context).length > 0 ||
    // A title that is mistyped is in no catalogue either.
    (!isKnown(head, index) &&
      values.length > 0 &&
      (isCalled(first, 'title') || isCalled(first, 'video') || (columns > 1 && isUnknown && (!isTitled || isAboveNumbers(rows, index)))));
  if (!isHeader && !isKnown(head, index) && values.length > 0 && (isUnknown || isUnlike(first, values)))
    throw undecided(fileName, first, asked);
  return { index, header: isHeader ? head[index] : undefined, columns, context };
}

/** A list that lacks its first video would take it out of a channel, so the first line is never guessed to be a header. */
function undecided(fileName: string, first: string, { wanted, columnArgument }: ListColumns): VideoHostingError {
  const named = columnArgument === undefined ? sentence`` : sentence`, or give it as ${columnArgument}`;
  return fileRefused(
    fileName,
    sentence`Its first line, ${shownColumn(first)}, is unlike the lines below it: it may be a video, or the name of the column.`,
    sentence`Ask the user which it is. If it is a video, put a line "${wanted}" above it and correct it where it is mistyped; if it is the name, change it to "${wanted}"${named}.`,
  );
}

function noVideoColumn(fileName: string, rows: readonly Row[], { columnArgument }: ListColumns): VideoHostingError {
  const [head = [], ...below] = rows;
  const made = head.filter((_, index) => areMade(below.flatMap((row) => row[index]?.trim() || [])));
  const [only] = made.length === 1 ? made : [];
  const likely = only === undefined ? '' : sentence` Only ${shownColumn(only)} has values that look like ids.`;
  return fileRefused(
    fileName,
    sentence`${columnsText(head, sentence`none is known to hold ids, keys or titles`)}${likely}`,
    columnArgument === undefined
      ? sentence`Name the column of ids "id" (or that of keys "key") in the first line, or remove the other columns.`
      : only === undefined
        ? sentence`Ask the user which of them names the videos, and give its name as ${columnArgument}.${IN_FIRST_LINE}`
        : sentence`If that names the videos, call again with ${columnArgument}: ${shownColumn(only)}, which the preview shows; else ask the user which does.`,
  );
}

const MADE = /^(?=.*\d)[\w-]{16,}$/;

/** Whether a program made these texts, all as long. */
const areMade = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => MADE.test(value) && value.length === values[0]?.length);

/** Whether all below the first row are ids or keys that the catalogue has, or that look like its own: it may be an older one. */
function areLikeReferences([, ...below]: readonly Row[], index: number, videos: KnownVideos | undefined): boolean {
  const checks = (['id', 'key'] as const).flatMap((wanted) => createFormatCheck(videos?.entries() ?? [], wanted) ?? []);
  const values = below.map((row) => unescapeFormulas(row[index]?.trim() ?? '')).filter((value) => value !== '');
  return values.some((value) => isKnownVideo(value, videos)) && values.every((value) => checks.some((isLike) => isLike(value)));
}

function severalColumns(fileName: string, indexes: readonly number[], { columnArgument }: ListColumns): VideoHostingError {
  const [one = 0, other = 0] = indexes.toSorted((a, b) => a - b);
  return fileRefused(
    fileName,
    sentence`Its columns ${one + 1} and ${other + 1} both name videos, and not the same ones.`,
    sentence`Write one video a line, or ask the user which column is meant and name it "id" or "key"${columnArgument === undefined ? '' : sentence`, or give its name as ${columnArgument}`}.`,
  );
}

/** Whether two columns name different videos of the catalogue in a row. */
function areOthers(rows: readonly Row[], index: number, other: number, videos: KnownVideos | undefined): boolean {
  const videosAt = (row: Row, at: number) => {
    const text = unescapeFormulas(row[at]?.trim() ?? '');
    return [videos?.byId(text), videos?.byKey(text), ...(videos?.byTitle(text) ?? [])].filter((video) => video !== undefined);
  };
  return rows.some((row) => {
    const [own, others] = [videosAt(row, index), videosAt(row, other)];
    return own.length > 0 && others.length > 0 && !others.some((video) => own.includes(video));
  });
}

/** Whether it may be an id or a key that the catalogue does not have yet. */
function looksLikeReference(text: string, videos: KnownVideos | undefined): boolean {
  return (['id', 'key'] as const).some((wanted) => createFormatCheck(videos?.entries() ?? [], wanted)?.(text) === true);
}

/** Whether the first row has a word above numbers or dates, in a column beside the values. */
function isAboveNumbers([head = [], ...below]: readonly Row[], index: number): boolean {
  return head.some((cell, other) => other !== index && /^\D+$/.test(cell) && below.every((row) => /\d/.test(row[other] ?? '')));
}

/** Whether a first line is unlike all that is below it: with spaces above values without, or a word whose length none of them has. */
function isUnlike(first: string, values: readonly string[]): boolean {
  if (/\s/.test(first)) return !values.some((value) => /\s/.test(value));
  const lengths = values.map((value) => value.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (/\d/.test(first) || (first.length >= shortest && first.length <= longest)) return false;
  return values.every((value) => /\d/.test(value)) || (values.length > 1 && shortest === longest);
}

/** Throws `file_refused` for a column of ids where keys are wanted, and no catalogue can translate them. */
export function assertTranslatable(name: string, wanted: 'id' | 'key', fileName: string, videos: KnownVideos | undefined): void {
  if (wanted === 'id' || usable(videos) !== undefined || !isCalled(name, 'id')) return;
  assertUsable(videos);
  throw fileRefused(
    fileName,
    sentence`It names ids (${shownColumn(name)}), and a channel holds keys. Only a video catalogue could translate them.`,
    sentence`Use a file with a column "key", or set VIDEO_HOSTING_VIDEO_CATALOGUE.`,
  );
}
