/** What a rule is said to allow, and that it allows it no more. */
import { expect, test } from 'vitest';
import { reportText, ruleText } from '../../../src/changes/standing/rule-words.ts';

const approval = { id: 'november', for: 'nightly', until: '2026-12-01', allow: [] };
const text = ruleText(approval, { kind: 'undo_own', perDay: 3 }, 'UTC');
const report = { text, approval: 'november', agent: 'nightly', until: '2026-12-01', perDay: 3, total: undefined } as const;

test('it ends as its day begins, and says so', () => {
  expect(text).toBe(
    'november: nightly may undo what it did itself under a standing approval; at most 3 changes a day (UTC); until 2026-12-01 begins.',
  );
});

test.each([
  ['counts', `${text} Left today: 2.`],
  ['revoked', `no longer, since it was revoked: ${text}`],
  ['ended', `no longer, since it has ended: ${text}`],
] as const)('a rule whose approval is in the state %s says first that it allows nothing, or last what is left', (state, said) => {
  expect(reportText({ ...report, state, used: { today: 1, total: 1 } })).toBe(said);
});
