import { BASE58, createRandom, HEX, LOWER, mix, type Random, seedFrom, UPPER } from '../random.ts';

/** Each kind looks different, so that a wrong kind, or an id in place of a key, shows at once. */
const SHAPES = {
  channelId: { prefix: 'c4a0', alphabet: HEX, length: 20 },
  channelKey: { prefix: '', alphabet: UPPER, length: 10 },
  videoId: { prefix: 'b1d0', alphabet: HEX, length: 20 },
  videoKey: { prefix: '', alphabet: BASE58, length: 11 },
  projectId: { prefix: 'a7e0', alphabet: HEX, length: 20 },
  projectKey: { prefix: '', alphabet: LOWER, length: 8 },
  planId: { prefix: 'f1a0', alphabet: HEX, length: 20 },
  templateKey: { prefix: 'tpl-', alphabet: LOWER, length: 6 },
};

type IdentifierKind = keyof typeof SHAPES;

/** What the content of an account is generated from; `now` is in milliseconds. */
export interface Origin {
  seed: number;
  now: number;
  /** A new identifier, unlike all before; each kind has a sequence of its own. */
  identifier: (kind: IdentifierKind) => string;
}

export function createIdentifiers(seed: number): Origin['identifier'] {
  const sources = new Map<IdentifierKind, Random>();
  const used = new Set<string>();
  return (kind) => {
    const source = sources.get(kind) ?? createRandom(seedFrom(seed, kind));
    sources.set(kind, source);
    const { prefix, alphabet, length } = SHAPES[kind];
    let text = prefix + source.text(alphabet, length);
    while (used.has(text)) text = prefix + source.text(alphabet, length);
    used.add(text);
    return text;
  };
}

export function numericId(id: string): number {
  const seed = seedFrom(7, id);
  return 1_000_000 + mix(seed, 1) * 1000 + (mix(seed, 2) % 1000);
}
