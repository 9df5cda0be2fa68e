/** A recording is replayed against the current server. Differences are shown, and a turn that can't be played fails. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Recording, Turn } from '../../evals/play/recording.ts';
import { addRecording, parseRecording, storedRecordings, stringifyRecording, writeRecording } from '../../evals/play/recordings.ts';
import { Miss, replay } from '../../evals/replay/replay.ts';
import { replayAll } from '../../evals/replay/replay-all.ts';
import { freshHome } from '../harness/cleanup.ts';
import { confirmed, scripted, undoName } from './scripted.ts';

const written = (recording: Recording): Recording => parseRecording(stringifyRecording(recording));

test('ids, tokens, reports, paths and times of a recording are mapped to those of the replay', async () => {
  const changes = await scripted('undo-part', undoName);
  const question = await scripted('two-channel-viewers', async (session) => {
    const args = { from: '2026-08-01', to: '2026-08-31', metrics: ['unique_viewers'], channels: ['Onboarding', 'How-to'] };
    const { text } = await session.call('query_analytics', args);
    const report = /reports\/([\w-]{12})/.exec(text)?.[1];
    await session.call('draw_chart', { report });
    return `It is ${/\n(\d+)\n/.exec(text)?.[1]}.`;
  });
  const emails = await scripted('export-emails', async (session) => {
    const args = { from: '2026-07-01', to: '2026-07-31', exportAs: 'csv' };
    const [, done = ''] = await confirmed(session, 'get_collected_emails', args);
    return `There are ${/written: (\d+)/.exec(done)?.[1]} in ${/"(\/[^"]+)"/.exec(done)?.[1]}.`;
  });
  for (const recording of [changes, question, emails]) {
    expect(recording.verdict.findings).toEqual([]);
    expect(stringifyRecording(recording)).not.toMatch(/chg-|\bt\d{18}|\/tmp\/|127\.0\.0\.1/);
    const again = await replay(written(recording));
    expect(again.drift).toEqual([]);
    expect(again.verdictChanged).toBe(false);
  }
});

test.each(['legacy', 'modern'] as const)('the simulated user answers forms, in the %s era', async (era) => {
  const rename = { changes: [{ channel: 'Careers', name: 'Jobs', currentProjectKeys: [] }] };
  const script: Parameters<typeof scripted>[1] = async (session) => {
    const currentVideoKeys = /Careers: ([\w, ]+)\./.exec(session.ask('What is in them?'))?.[1]?.split(', ');
    const { text } = await session.call('update_channels', { changes: rename.changes.map((change) => ({ ...change, currentVideoKeys })) });
    expect(text).toMatch(/declined|refused/);
    return 'You refused, so nothing was changed.';
  };
  const recording = await scripted('refusal', script, { era, forms: true });
  expect(recording.verdict.findings).toEqual([]);
  const forms = recording.turns.flatMap((turn) => ('call' in turn ? (turn.forms ?? []) : []));
  expect(forms).toMatchObject([{ decision: expect.stringMatching('No') }]);
  expect((await replay(written(recording))).drift).toEqual([]);
});

test('a changed preview, error text or description is reported as drift, line by line', async () => {
  const recorded = await scripted('undo-part', async (session) => {
    await session.call('get_channel', { channel: 'No such channel' });
    return undoName(session);
  });
  const folder = freshHome();
  const edited = (from: string, to: string): Recording => parseRecording(stringifyRecording(recorded).replace(from, to));
  const driftOf = async (recording: Recording): Promise<string> =>
    (await replay(recording)).drift.map(({ what, lines }) => [what, ...lines].join('\n')).join('\n');

  const drift = await driftOf(edited('No channel has the id', 'There is no channel with the id'));
  expect(drift).toMatch(/get_channel\n- There is no channel[\s\S]*\n\+ No channel has/);
  expect(await driftOf(edited('The Tour', 'A Tour'))).toMatch(/- .*A Tour/);

  const surface = { instructions: 'Other instructions.', tools: [] };
  writeRecording({ name: join('undo-part', '1.json'), recording: { ...recorded, surface: 'other' } }, folder);
  addRecording({ ...recorded, surface: 'other' }, surface, folder);
  const lines: string[] = [];
  const options = { tasks: [], folder, print: (line: string) => lines.push(line) };
  expect(await replayAll({ ...options, update: true })).toBe(false);
  expect(lines.join('\n')).toContain('The instructions or tools are not those of the recordings');
  expect(storedRecordings(folder).map(({ recording }) => recording.surface)).toEqual([recorded.surface, recorded.surface]);
  expect(await replayAll({ ...options, update: false })).toBe(true);
});

test('an assistant that copied the summary of its preview copies the one of today; another summary is given as it was', async () => {
  const recorded = await scripted('undo-part', undoName);
  const [summary = ''] = recorded.turns.flatMap((turn) => ('call' in turn ? (/summary: (.+)/.exec(turn.answer)?.[1] ?? []) : []));
  const renamed = (turns: readonly Turn[]): Turn[] =>
    turns.map((turn) => JSON.parse(JSON.stringify(turn).replaceAll(JSON.stringify(summary).slice(1, -1), 'Summary of then')));
  const then = await replay({ ...recorded, turns: renamed(recorded.turns) });
  expect(then).toMatchObject({ verdictChanged: false, drift: [{ what: 'undo_change' }] });
  const own = (turn: Turn): Turn =>
    'call' in turn && turn.call === 'confirm_change' ? { ...turn, arguments: { ...turn.arguments, summary: 'Its own' } } : turn;
  expect(await replay({ ...recorded, turns: recorded.turns.map(own) })).toMatchObject({ verdictChanged: true });
});

test('a turn that can’t be replayed is a miss, and another ending changes the verdict', async () => {
  const recorded = await scripted('undo-part', undoName);
  const lost = JSON.parse(JSON.stringify(recorded).replaceAll('⟦change 1⟧', '⟦change 7⟧')) as Recording; // the same fields
  await expect(replay(lost)).rejects.toThrow(Miss);
  await expect(replay(lost)).rejects.toThrow(/turn 2.*⟦change 7⟧/i);

  const isConfirmation = (turn: Turn): boolean => 'call' in turn && 'confirmationToken' in turn.arguments;
  const { verdictChanged, recording } = await replay({ ...recorded, turns: recorded.turns.filter((turn) => !isConfirmation(turn)) });
  expect(verdictChanged).toBe(true);
  expect(recording.verdict.findings.join()).toContain('name');
});
