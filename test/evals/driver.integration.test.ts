/** A task is played from a shell, or by a client that connects over MCP. Neither sees more than a model may know. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { live } from '../../evals/live/live.ts';
import { parseRecording } from '../../evals/play/recordings.ts';
import { probe } from '../../evals/probe.ts';
import { differences, replay } from '../../evals/replay/replay.ts';
import { root } from '../../evals/root.ts';
import { taskNamed } from '../../evals/tasks/index.ts';
import { freshHome } from '../harness/cleanup.ts';

async function drive(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'evals', 'drive.mjs'), ...args]);
  return stdout;
}

test('an assistant with a shell plays several wishes by the script in its folder, which names neither the task nor the project nor the verdict', async () => {
  const folder = freshHome();
  const says = await drive('start', 'planted-five-places', folder);
  expect(says).toContain('Two numbers about the channel Partner Spotlight');
  expect(says).toContain(join(folder, 'files'));
  const script = join(folder, 'play.mjs');
  expect(readFileSync(script, 'utf8')).not.toMatch(new RegExp(`planted-five-places|${root}`));
  const play = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [script, ...args], { cwd: folder })).stdout;
  expect(await play('says')).toBe(says);
  const tools = await play('tools');
  expect(tools).toContain('## get_channel');
  expect(tools).not.toMatch(/outputSchema|annotations/);
  expect(await play('answer', 'I don’t know.')).toMatch(/^The user says:[\s\S]*What does the description of that channel say/);
  expect(await play('call', 'get_channel', '{"channel":"Partner Spotlight"}')).toContain('For our partners.');
  expect(await drive('call', folder, 'get_channel', '{"channel":"Nothing of this name"}')).toMatch(/^\(error\)/);
  expect(await play('ask', 'Do you want a change?')).toContain('I only want to read them.');
  expect(await play('answer', 'For our partners. The project: Summit & road shows. It is Light.')).toContain('rename the channel');
  expect(await play('answer', 'No.')).toBe('The task has ended. Thank you.\n');
  expect(existsSync(join(folder, 'driver.json'))).toBe(false);
  const recorded = parseRecording(readFileSync(join(folder, 'recording.json'), 'utf8'));
  expect(recorded.turns.map((turn) => Object.keys(turn)[0])).toEqual(['said', 'call', 'call', 'ask', 'said', 'final']);
  expect(recorded.counts).toMatchObject({ calls: 2, wishes: 3, errors: 1, questions: 1, unasked: 0 });
  expect(recorded).toMatchObject({
    day: new Date().toISOString().slice(0, 10),
    version: expect.stringMatching(/^[0-9a-f]{7,}|^\d+\.\d+\.\d+$/),
  });
  const { findings } = recorded.verdict;
  expect(findings).toContainEqual(expect.stringMatching(/^wish 1: the final answer does not say/));
  expect(findings).toContainEqual(expect.stringContaining('channel “Partners”: name is Partner Spotlight, wanted Partners'));
  expect(findings).not.toContainEqual(expect.stringContaining('wish 2'));
  expect(differences(recorded, await replay(recorded))).toEqual([]);
});

test('an assistant that is given an MCP configuration plays a task', async () => {
  const lines: string[] = [];
  const command = `node ${join(root, 'test', 'evals', 'assistant.mjs')} {config}`;
  await live({ command, tasks: ['likes'], runs: 2, server: 'ours', keep: false, print: (line) => lines.push(line) });
  expect(lines.join('\n')).toMatch(
    /likes 1: right, 1 calls, 0 errors, 1 questions[\s\S]*2 of 2 runs are right; 1 of 1 tasks in all runs \(pass\^2\)/,
  );
});

test('the probe reports a missing tool, a missing argument and a read that fails', async () => {
  const likes = taskNamed('likes');
  const needs = { list_likes: [], query_analytics: ['from', 'likes'] };
  const findings = await probe([{ ...likes, needs, probes: [['get_channel', { channel: 'No such channel' }]] }]);
  expect(findings).toEqual([
    'likes: there is no tool list_likes',
    'likes: query_analytics has no argument likes',
    expect.stringContaining('likes: get_channel {"channel":"No such channel"} fails.'),
  ]);
  expect(await probe([likes])).toEqual([]);
});
