import { asSentence, type Own, type Sentence } from './sentence.ts';

/** `1,200`. */
export const inFull = (count: number): Sentence => asSentence(count.toLocaleString('en-US'));

/** `1 video`, `1,200 videos`. */
export const counted = <One extends string, Many extends string = One>(
  count: number,
  one: One & Own<One>,
  many?: Many & Own<Many>,
): Sentence => asSentence(`${inFull(count)} ${count === 1 ? one : (many ?? `${one}s`)}`);

/** `both`, `all 1,200`. */
export const allOf = (count: number, start: 'all' | 'All' = 'all'): Sentence =>
  asSentence(count === 2 ? { all: 'both', All: 'Both' }[start] : `${start} ${inFull(count)}`);
