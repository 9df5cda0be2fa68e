/** What a terminal lists of a change that waits. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import { waitingText } from '../../../src/changes/tell/terminal.ts';
import { type Sentence, sentence } from '../../../src/text/sentence.ts';
import { waiting } from '../support/waiting.ts';

const loses = (label: Sentence): Notice => ({
  ...{ kind: 'loses', label, what: sentence`video`, count: 1, held: 9, which: sentence`"k"` },
});
const A = sentence`"A"`;
const B = sentence`"B"`;

test('a change that waits is listed with all that speaks against it, and the number of its other warnings', () => {
  const restated: Notice = { kind: 'restated', label: A, what: sentence`video`, count: 2, which: sentence`"k", "l"` };
  const warned = (notices: readonly Notice[]) =>
    waitingText(waiting(notices))
      .split('\n')
      .filter((line) => line.startsWith('  !'));
  expect(warned([loses(B), restated, { kind: 'ends_empty', label: A }])).toEqual([
    expect.stringContaining('"A" ends up empty'),
    expect.stringContaining('"A": the new list leaves out 2 videos'),
    '  ! … and 1 more warning',
  ]);
  expect(warned([loses(B), { kind: 'no_undo' }, { kind: 'already_so', label: A }])).toEqual([
    expect.stringContaining('"B" loses 1 of 9 videos'),
    '  ! … and 1 more warning',
  ]);
});
