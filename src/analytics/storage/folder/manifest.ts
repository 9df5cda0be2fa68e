import { DAY_MS } from '../../../platform/time-units.ts';
import type { Span } from '../../contract.ts';
import { overlaps } from '../../spans.ts';
import { checksumOfText } from '../part-file.ts';
import { type Beginning, replacedBy, type Segment, type StorageSnapshot } from '../segments.ts';

/** A file that no segment uses any more, and the moment from which no reader can still need it. */
export interface Retired {
  readonly file: string;
  readonly dueMs: number;
}

/** The contents of the folder. Immutable: each change is a new version in a file of its own. */
export interface Manifest extends StorageSnapshot {
  readonly retired: readonly Retired[];
}

/** A replaced part is kept this long for processes that are reading it. */
const GRACE_MS = 15 * 60_000;
const FORGOTTEN_KEPT_MS = DAY_MS;

/**
 * The next version, with a segment in place of those that it covers, or why the segment can't be added. `serviceMs` is the
 * service's time.
 */
export function addSegment(
  manifest: Manifest,
  added: Segment,
  since: Beginning,
  nowMs: number,
  serviceMs = nowMs,
): Manifest | 'superseded' | 'forgotten' {
  const found = replacedBy(added, manifest, since, serviceMs);
  if (typeof found === 'string') return found;
  const next = removeSegments(manifest, found.replaced, nowMs + GRACE_MS);
  return {
    ...next,
    segments: [...next.segments, ...found.remaining, added].sort((a, b) => a.fromMs - b.fromMs),
    forgotten: manifest.forgotten.filter(({ atMs }) => nowMs - atMs < FORGOTTEN_KEPT_MS),
  };
}

/** The next version, without the segments that overlap a span. Their files may be removed at once. */
export function forgetSpan(manifest: Manifest, span: Span, nowMs: number): Manifest {
  const next = removeSegments(
    manifest,
    manifest.segments.filter((segment) => overlaps(segment, span)),
    0,
  );
  return {
    ...next,
    // Files that were replaced earlier may hold the same views.
    retired: next.retired.map(({ file }) => ({ file, dueMs: 0 })),
    forgotten: [...manifest.forgotten, { ...span, atMs: nowMs }],
  };
}

/** The next version, without segments: views whose viewers were hashed with another key can’t be counted together. */
export function beginEpoch(manifest: Manifest, epoch: string, nowMs: number): Manifest {
  return { ...removeSegments(manifest, manifest.segments, nowMs + GRACE_MS), epoch };
}

/** The next version, without damaged segments; undefined if there are none. */
export function withdrawSegments(manifest: Manifest, isDamaged: (segment: Segment) => boolean, nowMs: number): Manifest | undefined {
  const gone = manifest.segments.filter(isDamaged);
  return gone.length === 0 ? undefined : removeSegments(manifest, gone, nowMs + GRACE_MS);
}

function removeSegments(manifest: Manifest, gone: readonly Segment[], dueMs: number): Manifest {
  return {
    ...manifest,
    segments: manifest.segments.filter((segment) => !gone.includes(segment)),
    retired: [...manifest.retired, ...partFilesOf(gone).map((file) => ({ file, dueMs }))],
  };
}

export const partFilesOf = (segments: readonly Segment[]): string[] =>
  segments.flatMap(({ part }) => (part === undefined ? [] : [partFile(part)]));

export const partFile = (name: string): string => `parts/${name}`;

const FORMAT = 3;

export function manifestText(manifest: Manifest): string {
  const content = { format: FORMAT, ...manifest };
  return JSON.stringify({ ...content, checksum: checksumOfText(JSON.stringify(content)) });
}

/** Parses the file of a manifest. Undefined if the text is no manifest, for example because it is damaged or only partly written. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    // Only this program writes it, and `format` identifies its fields.
    const { checksum, ...content } = JSON.parse(text) as StoredManifest;
    const { format, ...manifest } = content;
    return format === FORMAT && checksum === checksumOfText(JSON.stringify(content)) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

interface StoredManifest extends Manifest {
  readonly format: number;
  readonly checksum: string;
}
