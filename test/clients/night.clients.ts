/** One night without a person, and the morning after: Claude Code runs the job of docs/standing-approvals.md, as it stands there. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { idsIn, MOVE, requestsOf, sorted } from '../changes/kinds/videos/harness.ts';
import { daysAhead } from '../changes/standing/harness.ts';
import type { DemoService } from '../harness/demo.ts';
import { settingsFor } from '../harness/service.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';
import { blockOf } from '../scripts/project.ts';
import { NAMED } from './support/kits.ts';
import { type Lab, withLab } from './support/lab.ts';
import type { Step } from './support/script.ts';

const CLAUDE = NAMED.filter(([, { name }]) => name === 'claude-code');
const DOCUMENT = 'docs/standing-approvals.md';
const COVERED = 3;
const NAME = 'Onboarding for everybody';

const namesOf = (demo: DemoService): string[] => [...demo.world.channels.values()].map(({ name }) => name);
const updatesOf = (demo: DemoService): number => demo.requests.filter(({ method }) => method === 'PUT').length;

/** The folder of the examples, below the client's home: the files of the person, and the commands that are in PATH. */
function prepareNight({ home, demo }: Lab, claude: string): { readonly job: string; readonly path: string } {
  const [folder, bin] = [join(home, 'night'), join(home, 'bin')];
  for (const made of [folder, bin]) mkdirSync(made);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  const example = blockOf(DOCUMENT, 'example', 'standing-approvals')
    .replace('ID-OF-ARCHIVE', demo.world.projectNamed('Archive').id)
    .replace('ID-OF-WEBINARS', [...demo.world.channels.keys()].at(-1) ?? '')
    .replace(/"perDay": 500/, `"perDay": ${COVERED}`)
    .replace(/(?<="until": ")[\d-]+/, daysAhead(30));
  write('approvals.json', example);
  const here = (text: string) => text.replaceAll('/srv/night', folder);
  write('mcp.json', here(blockOf(DOCUMENT, 'example', 'nightly-claude-server')));
  write('task.txt', 'Move what is old into Archive, and rename the channel Onboarding.');
  const commands = { claude: `"${claude}"`, 'video-hosting-mcp': `"${process.execPath}" "${inject('command')}"` };
  for (const [name, command] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { job: here(blockOf(DOCUMENT, 'example', 'nightly-claude')), path: `${bin}:${process.env.PATH}` };
}

test.skipIf(!HAS_TERMINAL).each(CLAUDE)('%s does at night what is covered, and a person approves the rest next morning', async (_, kit) => {
  const ids: string[] = [];
  const move =
    (from: number, to: number): Step =>
    () => ({ tool: 'move_videos', args: { videoIds: ids.slice(from, to), targetProject: 'Archive', fromProject: 'Marketing' } });
  const rename: Step = { tool: 'update_channels', args: { changes: [{ channel: 'Onboarding', name: NAME }] } };
  // The last of it is asked for twice.
  const steps = [move(0, COVERED), move(COVERED, COVERED + 1), rename, rename];
  const prepare = ({ world }: DemoService) => {
    for (const video of world.videos.values()) video.projectId = world.projectNamed('Marketing').id;
    ids.push(...[...world.videos.keys()].slice(0, COVERED + 1));
  };
  await withLab(kit, { steps, prepare }, async (lab) => {
    const { demo, home, model, job } = lab;
    const moved = () => sorted(idsIn(demo, demo.world.projectNamed('Archive').id));
    const night = prepareNight(lab, kit.health.argv[0] ?? '');
    const settings = { ...settingsFor(demo), HOME: home, PATH: night.path };

    const atNight = await job(night.job, settings);
    expect(moved()).toEqual(sorted(ids.slice(0, COVERED)));
    expect(requestsOf(demo, MOVE)).toHaveLength(1);
    expect([updatesOf(demo), namesOf(demo).includes(NAME)]).toEqual([0, false]);
    const told = model.given().map(({ text }) => text);
    expect(told).toHaveLength(steps.length);
    expect(told[0]).toMatch(/"status": ?"applied"/);
    for (const text of told.slice(1)) expect(text).toMatch(/"status": ?"waiting"/);
    const waiting = told.slice(1).map((text) => /chg-[\w-]+/.exec(text)?.[0] ?? '');
    // One that is asked for again is the same.
    expect(waiting[1]).toBe(waiting[2]);
    expect(atNight.code, atNight.output).toBe(3);
    for (const id of new Set(waiting)) expect(atNight.output).toContain(id);

    // Without the approvals and the agent's name: a person has neither.
    const [single = '', renamed = ''] = waiting;
    const approve = (id: string) => atTerminal(['1'], ['waiting', 'approve', id], settings);
    const seen = await approve(renamed);
    expect(seen.code, seen.seen).toBe(0);
    expect(seen.seen).toContain(NAME);
    expect([updatesOf(demo), namesOf(demo).includes(NAME)]).toEqual([1, true]);
    expect((await job('video-hosting-mcp waiting --exit-code', settings)).code).toBe(3);
    expect((await approve(single)).code).toBe(0);
    expect(moved()).toEqual(sorted(ids));
    expect(await job('video-hosting-mcp waiting --exit-code', settings)).toEqual({
      code: 0,
      output: expect.stringContaining('Nothing waits.\n'),
    });
  });
});
