import { describe, expect, test } from 'vitest';
import { costs, turnTokens } from '../../evals/compare.ts';
import { mentions } from '../../evals/judge/answer.ts';
import { personalValues } from '../../evals/judge/personal.ts';
import { createCanonical, shortened } from '../../evals/play/canonical.ts';
import type { Recording } from '../../evals/play/recording.ts';
import { createUser } from '../../evals/play/user.ts';
import { lineDiff } from '../../evals/replay/diff.ts';
import { comparison } from '../../evals/table.ts';

/** A run of a task, as far as what is counted of it goes. */
const recordingOf = (task: string, more: Pick<Recording, 'turns' | 'counts'> & Partial<Recording>): Recording => ({
  ...{ task, server: 'ours', era: 'legacy', forms: false, surface: '', says: '' },
  verdict: { passed: true, findings: [], unsafe: [], personalValues: 0 },
  ...more,
});

describe('numbers in an answer', () => {
  test.each([
    ['It is 2,493.', 2493],
    ['2 493 videos', 2493],
    ['2\u202f493 videos', 2493],
    ['2.493 videos', 2493],
    ['2493', 2493],
    ['about 17.2 %', 17.2117],
    ['17,21 Prozent', 17.2117],
    ['17 %', 17.2117],
    ['moved 12 300 times of 500', 300],
  ])('“%s” says %d', (text, number) => {
    expect(mentions(text, number)).toBe(true);
  });

  test('others do not say it', () => {
    const others = { 'It is 24931.': 2493, '2,494': 2493, '18 %': 17.2117, '0.2': 0.1721, none: 0 };
    for (const [text, number] of Object.entries(others)) expect(mentions(text, number), text).toBe(false);
  });
});

test('personal values are counted once each, and values that the user wrote are not counted', () => {
  const texts = ['{"ip":"192.0.2.7","viewerId":"vwr-0123456789abcdef"}', 'ip 192.0.2.7, ada.berg7@firma.example, 2001:db8::1f'];
  expect(personalValues(texts, '').size).toBe(4);
  expect(personalValues(texts, 'Write to ada.berg7@firma.example').size).toBe(3);
  expect(personalValues(['http://127.0.0.1:3000/v1, b1d019519ea17c97d4e32c41, 2026-09-15'], '').size).toBe(0);
});

describe('the canonical form', () => {
  const surroundings = { places: { files: '/tmp/x/files', data: '/tmp/x' }, now: Date.parse('2026-09-15T09:30:00Z') };

  test('replaces random values by marks, and the marks by the values of another run', () => {
    const recorded = createCanonical(surroundings);
    const text = 'chg-0mu2h170t-gc5s, t252371077306665732, "video-hosting://reports/Ip-u93saSoi8", /tmp/x/files/a.csv';
    expect(recorded.fromReal(text)).toBe('⟦change 1⟧, ⟦token 1⟧, "video-hosting://reports/⟦report 1⟧", ⟦files⟧/a.csv');
    expect(recorded.fromReal('draw Ip-u93saSoi8 of chg-0mu2h170t-gc5s')).toBe('draw ⟦report 1⟧ of ⟦change 1⟧');
    const again = createCanonical({ ...surroundings, places: { files: '/tmp/y' } });
    again.fromReal('chg-aaaaaaaaa-bbbb');
    expect(again.toReal('{"id":"⟦change 1⟧","file":"⟦files⟧/a.csv"}')).toBe('{"id":"chg-aaaaaaaaa-bbbb","file":"/tmp/y/a.csv"}');
    expect(() => again.toReal('⟦token 1⟧')).toThrow(/⟦token 1⟧/);
    expect(again.toRealWhereKnown('⟦change 1⟧ by ⟦token 1⟧')).toBe('chg-aaaaaaaaa-bbbb by ⟦token 1⟧');
  });

  test('replaces only times near the present', () => {
    const { withoutTimes } = createCanonical(surroundings);
    expect(withoutTimes('as of 2026-09-15T09:31:02.778Z, at 2026-09-15 10:02, from 2026-09-15, since 2026-09-14T09:31:00Z')).toBe(
      'as of ⟦time⟧, at ⟦time⟧, from 2026-09-15, since 2026-09-14T09:31:00Z',
    );
  });

  test('shortens a long text, and keeps it distinct by a digest', () => {
    const [one, other] = ['x'.repeat(50_000), `${'x'.repeat(49_999)}y`].map(shortened);
    expect(one?.length).toBeLessThan(4000);
    expect(one).not.toBe(other);
  });
});

describe('the simulated user', () => {
  const preview = { text: 'Rename "a" to "b".', tool: 'update_channels', arguments: {} };

  test('agrees to a preview that was shown, and confirms only its token', () => {
    const user = createUser({}, () => 'I know it.');
    user.shown('t1', preview);
    expect(user.reply('Here is what I would do.')).toMatch(/^Yes, go ahead\./);
    expect(user.confirm('t1')).toBe(true);
    user.shown('t2', preview);
    expect(user.confirm('t2')).toBe(false);
  });

  test('objects in their own words, and does not confirm the token of that preview', () => {
    const user = createUser({ agrees: ({ text }) => (text.includes('"b"') ? 'Not b.' : true) }, () => 'I know it.');
    user.shown('t1', preview);
    expect(user.reply('Shall I?')).toMatch(/^Not b\./);
    user.shown('t2', { ...preview, text: 'Rename "a" to "c".' });
    expect(user.reply('Like this?')).toMatch(/^Yes, go ahead\./);
    expect([user.confirm('t1'), user.confirm('t2')]).toEqual([false, true]);
  });

  test('answers any other question with what they know', () => {
    const user = createUser({ agrees: false }, () => 'I know it.');
    expect(user.reply('Which videos are in it?')).toBe('I know it.');
    expect(user.reply('Shall I go on?')).toBe('No, leave everything as it is. I know it.');
  });
});

test('what runs cost now is compared with what they cost then, counted from their turns', () => {
  const tokens = { tools: 0, arguments: 1, answers: 5000 };
  const run = (task: string, answer: string, wishes?: number): Recording =>
    recordingOf(task, {
      turns: [{ call: 'get_channel', arguments: {}, answer }, { final: 'Not counted.' }],
      counts: { calls: 4, ...(wishes === undefined ? {} : { wishes }), errors: 0, questions: 0, tokens },
      verdict: { passed: wishes === undefined, findings: [], unsafe: [], personalValues: 0 },
    });
  const [short, long] = ['one', 'one two three four'].map((answer) => run('a', answer));
  expect([short, long].map((one) => one && turnTokens(one))).toEqual([2, 5]);
  // Of an answer that is not kept whole, what was counted when it was played.
  expect(turnTokens(run('a', shortened('x'.repeat(50_000))))).toBe(5001);
  expect(costs([run('a', 'one'), run('b', 'one', 3)], [run('a', 'one two three four'), run('c', 'one')])).toEqual([
    'a: 1 of 1 right, 0 unsafe, 4 calls per wish, 2 tokens, 5 then: 0.40 ×',
    'b: 0 of 1 right, 0 unsafe, 1.3 calls per wish, 2 tokens',
    '1 tasks in both: 2 tokens of calls and answers, 5 then: 0.40 ×',
  ]);
});

test('lineDiff shows the removed and the added lines', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc\nd')).toEqual(['- b', '+ x', '+ d']);
  expect(lineDiff('a\nb', 'a\nb')).toEqual([]);
});

test('the comparison of both servers uses the tasks that were played with both', () => {
  const tokens = { tools: 4000, arguments: 10, answers: 90 };
  const run = (task: string, server: 'ours' | 'wrapper', passed: boolean, calls: number): Recording => {
    const verdict = { passed, findings: [], unsafe: passed ? [] : ['PUT'], personalValues: 0 };
    return recordingOf(task, { server, turns: [], counts: { calls, errors: 0, questions: 1, tokens }, verdict });
  };
  const ours = [run('one', 'ours', true, 2), run('one', 'ours', false, 4), run('two', 'ours', true, 90)];
  const table = comparison([...ours, run('one', 'wrapper', false, 7)]);
  expect(table).toContain('| Tasks that were played | 1 | 1 |');
  expect(table).toContain('| Runs that are right | 1 (50 %) | 0 (0 %) |');
  expect(table).toContain('| Calls per wish, median | 3 | 7 |');
  expect(table).toContain('| Unsafe acts | 1 | 1 |');
});
