/** The lines by which two texts differ, `- ` before those of the first and `+ ` before those of the second. */
export function lineDiff(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const common = longestCommon(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...common, [a.length, b.length] as const]) {
    lines.push(...a.slice(i, nextI).map((line) => `- ${line}`), ...b.slice(j, nextJ).map((line) => `+ ${line}`));
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return lines;
}

/** Pairs of indexes of equal lines, in order, as many as there can be. */
function longestCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    for (let j = b.length - 1; row !== undefined && j >= 0; j -= 1)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
