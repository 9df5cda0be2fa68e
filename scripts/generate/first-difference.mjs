/** Where a text first differs from what it should be, in words. */
export function firstDifference(is, should) {
  const [lines, wanted] = [is.split('\n'), should.split('\n')];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  if (at === -1) return `It goes on after line ${wanted.length}.`;
  return `Line ${at + 1}:\n  is:        ${lines[at] ?? '(missing)'}\n  should be: ${wanted[at]}`;
}
