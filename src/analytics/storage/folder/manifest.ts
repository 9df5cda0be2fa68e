import type { Span } from '../../contract.ts';
import { isWithin, overlaps, without } from '../../spans.ts';

/** A span whose views are kept, all of them, in one part. Windows never overlap. */
export interface Segment extends Span {
  readonly id: string;
  /** When its reading began. Milliseconds since the epoch, as every time here. */
  readonly fetchedMs: number;
  /** Which columns its part has. */
  readonly schema: string;
  readonly rows: number;
  /** Name of its Parquet file; absent where there is no view. */
  readonly part?: string;
  readonly minMs?: number;
  readonly maxMs?: number;
  /** Records that were set aside: the reasons, most frequent first, with how many each. */
  readonly setAside: readonly Tally[];
  /** Name of the file that lists them. */
  readonly setAsideFile?: string;
  /** Why it may lack views. */
  readonly problem?: string;
}

export interface Tally {
  readonly reason: string;
  readonly count: number;
}

/** A file that is no longer part of the lake, and when nobody can be reading it any more. */
export interface Retired {
  readonly file: string;
  readonly dueMs: number;
}

/** What was removed on purpose: a reading that began before then brings none of it back. */
export interface Forgotten extends Span {
  readonly atMs: number;
}

/** What the lake consists of. Never changed: each change is a new version in a file of its own. */
export interface Manifest {
  readonly format: 1;
  readonly version: number;
  /** Changes when everything is forgotten; each has its own key for hashes of viewers. */
  readonly epoch: string;
  readonly windows: readonly Segment[];
  readonly retired: readonly Retired[];
  readonly forgotten: readonly Forgotten[];
}

/** How long a part that was replaced stays for those who still read it. */
const GRACE_MS = 15 * 60_000;
/** A reading that began before this long ago has ended, one way or another. */
const FORGOTTEN_KEPT_MS = 24 * 3_600_000;

/** What becomes of a manifest; `beaten`: others hold the span as fresh; `forgotten`: it was removed while it was read. */
export type Placed = { readonly next: Manifest } | 'beaten' | 'forgotten';

/** Whether what was read of a span was removed since it was read. */
export function wasForgotten(manifest: Manifest, read: Span & { readonly fetchedMs: number }, epoch: string): boolean {
  return manifest.epoch !== epoch || manifest.forgotten.some((gone) => gone.atMs >= read.fetchedMs && overlaps(gone, read));
}

/** The manifest with a window put in the place of what it covers. */
export function place(manifest: Manifest, fresh: Segment, epoch: string, nowMs: number): Placed {
  if (wasForgotten(manifest, fresh, epoch)) return 'forgotten';
  const met = manifest.windows.filter((window) => overlaps(window, fresh));
  const left = trimmed(met, fresh);
  if (left === undefined) return 'beaten';
  const windows = [...manifest.windows.filter((window) => !met.includes(window)), ...left, fresh];
  return {
    next: {
      ...manifest,
      version: manifest.version + 1,
      windows: windows.sort((a, b) => a.fromMs - b.fromMs),
      retired: [...manifest.retired, ...filesOf(met).map((file) => ({ file, dueMs: nowMs + GRACE_MS }))],
      forgotten: manifest.forgotten.filter(({ atMs }) => nowMs - atMs < FORGOTTEN_KEPT_MS),
    },
  };
}

/** What is left of windows where another takes what it covers; undefined where it must give way to one of them. */
export function trimmed(met: readonly Segment[], fresh: Segment): Segment[] | undefined {
  const usable = met.filter((window) => window.schema === fresh.schema);
  // A window can't be cut, save an empty one; and what was read later stands.
  if (usable.some((window) => window.fetchedMs >= fresh.fetchedMs && (window.problem === undefined || fresh.problem !== undefined)))
    return undefined;
  if (usable.some((window) => window.rows > 0 && !isWithin(window, fresh))) return undefined;
  const pieces = usable.flatMap((window) =>
    without([window], [fresh]).map((left, index) => ({ ...window, ...left, id: index === 0 ? window.id : `${window.id}-${index}` })),
  );
  return pieces.map(emptied);
}

/** What is left of a window without views: nothing was set aside in it as far as is known. */
function emptied({ setAsideFile: _, ...window }: Segment): Segment {
  return { ...window, setAside: [] };
}

/** The manifest without the windows that reach into a span, whose files may go at once. */
export function forgetIn(manifest: Manifest, span: Span, nowMs: number): Manifest {
  const gone = manifest.windows.filter((window) => overlaps(window, span));
  return {
    ...manifest,
    version: manifest.version + 1,
    windows: manifest.windows.filter((window) => !gone.includes(window)),
    // What was replaced before may hold the same views.
    retired: [...manifest.retired.map(({ file }) => file), ...filesOf(gone)].map((file) => ({ file, dueMs: 0 })),
    forgotten: [...manifest.forgotten, { ...span, atMs: nowMs }],
  };
}

/** The manifest without windows that can't be read; undefined where there are none. What is left of their files goes once nobody reads it. */
export function withdrawFrom(manifest: Manifest, isGone: (window: Segment) => boolean, nowMs: number): Manifest | undefined {
  const gone = manifest.windows.filter(isGone);
  if (gone.length === 0) return undefined;
  return {
    ...manifest,
    version: manifest.version + 1,
    windows: manifest.windows.filter((window) => !gone.includes(window)),
    retired: [...manifest.retired, ...filesOf(gone).map((file) => ({ file, dueMs: nowMs + GRACE_MS }))],
  };
}

/** The files that windows consist of, relative to the lake's folder. */
export function filesOf(windows: readonly Segment[]): string[] {
  return windows.flatMap(({ part, setAsideFile }) => [
    ...(part === undefined ? [] : [partFile(part)]),
    ...(setAsideFile === undefined ? [] : [setAsideFileOf(setAsideFile)]),
  ]);
}

export const partFile = (name: string): string => `parts/${name}`;
export const setAsideFileOf = (name: string): string => `set-aside/${name}`;

/** A manifest from the text of its file. Undefined where it is none, as when only half of it has been written. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Written by this program alone, whole or not at all; its format tells what is in it.
    return typeof value === 'object' && value !== null && 'format' in value && value.format === 1 ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
