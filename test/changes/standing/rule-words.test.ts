/** What a rule is said to allow, and that it allows it no more. */
import { expect, test } from 'vitest';
import { reportText, ruleText } from '../../../src/changes/standing/rule-words.ts';
import { StandingFileSchema } from '../../../src/changes/standing/rules.ts';

const approval = { id: 'november', agent: 'nightly', until: '2026-12-01' };
const text = ruleText(approval, { kind: 'undo_own', perDay: 3 }, 'UTC');

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
  expect(reportText(state, { text, today: { used: 1, limit: 3 }, inAll: { used: 1 } })).toBe(said);
});

const channels = [{ id: '7cd1', name: 'Best of' }, { id: '8de2' }];
test.each([
  [{ kind: 'add_videos', channels, perDay: 500 }, 'add videos to "Best of" (7cd1) or 8de2; at most 500 videos a day (Europe/Berlin)'],
  [
    { kind: 'reorder_videos', channels, perDay: 20, perChange: 1 },
    'change the order of the videos in "Best of" (7cd1) or 8de2; at most 20 channels a day (Europe/Berlin), 1 in one change',
  ],
  [
    { kind: 'copy_cta', from: [{ id: '91aa', name: 'Intro' }], perDay: 500, total: 5_000 },
    'copy the CTAs of "Intro" (91aa) to videos that have none of them; at most 500 videos a day (Europe/Berlin), 5,000 in all',
  ],
] as const)('%j is said in a sentence', (rule, said) => {
  const file = StandingFileSchema.parse({
    version: 1,
    timeZone: 'Europe/Berlin',
    approvals: [{ id: 'november', for: 'nightly', until: '2026-12-01', allow: [rule] }],
  });
  const [found] = file.approvals.flatMap(({ allow }) => allow);
  expect(found && ruleText(approval, found, 'Europe/Berlin')).toBe(`november: nightly may ${said}; until 2026-12-01 begins.`);
});
