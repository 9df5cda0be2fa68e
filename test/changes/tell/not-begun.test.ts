/** What an assistant is told of a change that waits for a person. */
import { expect, test } from 'vitest';
import type { Notice } from '../../../src/changes/notices/notices.ts';
import { keptResult } from '../../../src/changes/tell/not-begun.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { waiting } from '../support/waiting.ts';

const A = sentence`"A"`;

test('what weighs most stands right after what it would do, the heaviest first', () => {
  const loses: Notice = { kind: 'loses', label: A, what: sentence`video`, count: 5, held: 5, which: sentence`"k"` };
  const message = (notices: readonly Notice[]) => String(keptResult(waiting(notices)).message);
  expect(message([loses, { kind: 'no_undo' }, { kind: 'ends_empty', label: A }])).toMatch(
    /^NOT DONE YET\. Change 2 channels\. What weighs most: empties 1; loses 5 videos; no undo\. It waits already/,
  );
  expect(message([{ kind: 'already_so', label: A }])).toMatch(/^NOT DONE YET\. Change 2 channels\. It waits already/);
});

test('warnings that weigh less are counted, and where each is read is said', () => {
  const message = (notices: readonly Notice[]) => String(keptResult(waiting(notices)).message);
  const light: readonly Notice[] = [
    { kind: 'stays_empty', label: A },
    { kind: 'default_template', label: A },
  ];
  expect(message([...light, { kind: 'ends_empty', label: A }])).toContain(
    'What weighs most: empties 1; and 2 more warnings (get_change with page 1).',
  );
  expect(message(light)).toContain('Change 2 channels. It has 2 warnings (get_change with page 1).');
});
