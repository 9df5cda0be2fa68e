/** What became of a change, in a sentence. */
import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/page/views/parts/statuses.ts';
import { waitingChange } from './support/fixtures.ts';

test.each(['stopped', 'interrupted'] as const)(
  'of one that is %s, it is said that the rest can be carried on only where it can',
  (status) => {
    expect(outcomeOf(waitingChange({ status, canResume: true }))).toMatch(/The rest can be carried on/);
    expect(outcomeOf(waitingChange({ status, canResume: false }))).not.toMatch(/carried on/);
  },
);
