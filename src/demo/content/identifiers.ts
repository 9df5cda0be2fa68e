import { BASE58, createRandom, HEX, LOWER, mix, type Random, seedFrom, UPPER } from '../random.ts';

/** What an identifier names. Each kind looks different, so that a mix-up of kinds or of id and key shows at once. */
type IdentifierKind = 'channelId' | 'channelKey' | 'videoId' | 'videoKey' | 'projectId' | 'projectKey' | 'planId' | 'templateKey';

const SHAPES: Record<IdentifierKind, { prefix: string; alphabet: string; length: number }> = {
  channelId: { prefix: 'c4a0', alphabet: HEX, length: 20 },
  channelKey: { prefix: '', alphabet: UPPER, length: 10 },
  videoId: { prefix: 'b1d0', alphabet: HEX, length: 20 },
  videoKey: { prefix: '', alphabet: BASE58, length: 11 },
  projectId: { prefix: 'a7e0', alphabet: HEX, length: 20 },
  projectKey: { prefix: '', alphabet: LOWER, length: 8 },
  planId: { prefix: 'f1a0', alphabet: HEX, length: 20 },
  templateKey: { prefix: 'tpl-', alphabet: LOWER, length: 6 },
};

/** Makes identifiers that never repeat, each kind in a sequence of its own. */
export interface Identifiers {
  next(kind: IdentifierKind): string;
}

export function createIdentifiers(seed: number): Identifiers {
  const sources = new Map<IdentifierKind, Random>();
  const used = new Set<string>();
  const next = (kind: IdentifierKind): string => {
    const source = sources.get(kind) ?? createRandom(seedFrom(seed, kind));
    sources.set(kind, source);
    const { prefix, alphabet, length } = SHAPES[kind];
    let text = prefix + source.text(alphabet, length);
    while (used.has(text)) text = prefix + source.text(alphabet, length);
    used.add(text);
    return text;
  };
  return { next };
}

/** The number that stands for an id where the service sends ids as numbers. */
export function numericId(id: string): number {
  const seed = seedFrom(7, id);
  return 1_000_000 + mix(seed, 1) * 1000 + (mix(seed, 2) % 1000);
}
