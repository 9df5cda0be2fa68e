import type { Scalar } from '../../analytics/contract.ts';
import { estimateJsonTokens, estimateTokens } from './token-estimate.ts';

/** What rows may take of an answer, as text and as structured content together; the rest is for what is said about them. */
const MAX_TOKENS = 18_000;
/** More is shown nowhere: see `inert`. */
const MAX_CELL = 400;

/** The first rows, up to a limit and what fits an answer. */
export function cutRows(rows: readonly (readonly Scalar[])[], limit: number): readonly (readonly Scalar[])[] {
  let left = MAX_TOKENS;
  const end = rows.slice(0, limit).findIndex((row) => {
    const shown = row.map((value) => (typeof value === 'string' ? value.slice(0, MAX_CELL) : value));
    left -= estimateJsonTokens(shown) + estimateTokens(shown.join(' | ')) + 1;
    return left < 0;
  });
  return rows.slice(0, end < 0 ? limit : Math.max(1, end));
}
