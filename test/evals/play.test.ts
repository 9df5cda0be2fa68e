import { describe, expect, test } from 'vitest';
import { costs } from '../../evals/compare.ts';
import { mentions } from '../../evals/judge/answer.ts';
import { personalValues } from '../../evals/judge/personal.ts';
import type { Recording } from '../../evals/play/recording.ts';
import { createReferences } from '../../evals/play/references.ts';
import { createUser } from '../../evals/play/user.ts';
import { comparison } from '../../evals/table.ts';

/** A run of a task, as far as what is counted of it goes. */
const recordingOf = (task: string, more: Pick<Recording, 'turns' | 'counts'> & Partial<Recording>): Recording => ({
  ...{ task, server: 'ours', era: 'legacy', forms: false, day: '2026-11-22', version: '0.1.0', says: '' },
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

describe('references to answers', () => {
  const preview = (changeId: string, summary: string) => ({ changeId, preview: { summary, lines: ['Rename "a"'] } });

  test('name the newest answer that had the value, and an id in a summary or a path is no reference of its own', () => {
    const { answered, toReferences } = createReferences();
    answered({ changes: [{ changeId: 'chg-2' }, { changeId: 'chg-1' }], total: 2 });
    answered(preview('chg-3', 'Undo chg-1.'));
    answered({ changeId: 'chg-1', notDoneFile: '/files/chg-1-not-done.csv' });
    expect(toReferences({ summary: 'Undo chg-1.', ids: ['chg-2', 'chg-1'], note: 'Rename "a"', count: 2 })).toEqual({
      summary: '{{preview.summary of call 2}}',
      ids: ['{{changes.0.changeId of call 1}}', '{{changeId of call 3}}'],
      note: 'Rename "a"',
      count: 2,
    });
    expect(toReferences(['/files/chg-1-not-done.csv', 'chg-1-not-done.csv'])).toEqual([
      '{{notDoneFile of call 3}}',
      '{{changeId of call 3}}-not-done.csv',
    ]);
  });

  test('stand for the values of another run', () => {
    const { answered, toValues } = createReferences();
    answered(preview('chg-7', 'Undo all of chg-6.'));
    expect(toValues({ summary: '{{preview.summary of call 1}}', file: '{{changeId of call 1}}.csv', all: true })).toEqual({
      summary: 'Undo all of chg-6.',
      file: 'chg-7.csv',
      all: true,
    });
    expect(() => toValues('{{changeId of call 2}}')).toThrow('there is no changeId of call 2');
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

  test('decides by the words in which they were asked, where these are what they go by', () => {
    const agrees = ({ text, asked = text }: { readonly text: string; readonly asked?: string }) =>
      asked.includes('empty') ? 'Not that one.' : true;
    const user = createUser({ agrees }, () => 'I know it.');
    user.shown('t1', { ...preview, text: '"a" ends up empty.' });
    expect(user.reply('Shall I?')).toMatch(/^Yes, go ahead\./);
    user.shown('t2', preview);
    expect(user.reply('Channel a would be empty. Shall I?')).toMatch(/^Not that one\./);
    expect(user.decide({ ...preview, text: '"a" ends up empty.' })).toBe('Not that one.');
  });

  test('answers any other question with what they know', () => {
    const user = createUser({ agrees: false }, () => 'I know it.');
    expect(user.reply('Which videos are in it?')).toBe('I know it.');
    expect(user.reply('Shall I go on?')).toBe('No, leave everything as it is. I know it.');
  });
});

test('what runs cost now is compared with what they cost then, as it was counted when they were played', () => {
  const run = (task: string, answers: number, wishes?: number): Recording =>
    recordingOf(task, {
      turns: [{ final: 'Not counted.' }],
      counts: {
        calls: 4,
        ...(wishes === undefined ? {} : { wishes }),
        ...{ errors: 0, questions: 0, unasked: 0, tokens: { tools: 0, arguments: 1, answers } },
      },
      verdict: { passed: wishes === undefined, findings: [], unsafe: [], personalValues: 0 },
    });
  expect(costs([run('a', 1), run('b', 1, 3)], [run('a', 4), run('c', 1)])).toEqual([
    'a: 1 of 1 right, 0 unsafe, 4 calls per wish, 2 tokens, 5 then: 0.40 ×',
    'b: 0 of 1 right, 0 unsafe, 1.3 calls per wish, 2 tokens',
    '1 tasks in both: 2 tokens of calls and answers, 5 then: 0.40 ×',
  ]);
});

test('the comparison of both servers uses the tasks that were played with both', () => {
  const tokens = { tools: 4000, arguments: 10, answers: 90 };
  const run = (task: string, server: 'ours' | 'wrapper', passed: boolean, calls: number): Recording => {
    const verdict = { passed, findings: [], unsafe: passed ? [] : ['PUT'], personalValues: 0 };
    return recordingOf(task, { server, turns: [], counts: { calls, errors: 0, questions: 1, unasked: 0, tokens }, verdict });
  };
  const ours = [run('one', 'ours', true, 2), run('one', 'ours', false, 4), run('two', 'ours', true, 90)];
  const table = comparison([...ours, run('one', 'wrapper', false, 7)]);
  expect(table).toContain('| Tasks that were played | 1 | 1 |');
  expect(table).toContain('| Runs that are right | 1 (50 %) | 0 (0 %) |');
  expect(table).toContain('| Calls per wish, median | 3 | 7 |');
  expect(table).toContain('| Unsafe acts | 1 | 1 |');
});
