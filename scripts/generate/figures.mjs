/** The benchmarks' own table, from the page that `npm run bench` wrote: what was measured on is its line before it. */
export function figures(page) {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith('| What '));
  const end = lines.findIndex((line, index) => index > start && line === '');
  const machine = lines
    .slice(0, start)
    .filter((line) => line !== '')
    .at(-1);
  if (start < 0 || end < 0 || machine === undefined) throw new Error('bench/results.md has no table: run `npm run bench`.');
  return `${lines.slice(start, end).join('\n')}\n\nMeasured ${machine}.`;
}
