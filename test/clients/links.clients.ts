/** What a person at a terminal sees of a link in real clients, where a change waits on a server for several people, and what the pressed keys do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ClientKit, NAMED, WITH_LINKS } from './support/kits.ts';
import { draw, expectAsRecorded, OWN_QUESTION, READ_MS, shrink } from './support/questions.ts';
import { changeIdIn, linkIn, type Team, updatesOf, withTeam } from './support/team.ts';
import { NO_TERMINAL, type Terminal } from './support/terminal.ts';

const DONE = /That is all\./;
/** “I’m done, continue” stands in the middle. */
const KEYS = { open: ['Enter'], goOn: ['Enter'], decline: ['Right', 'Right', 'Enter'] } as const;

/** Has Bob's client ask whether to open the link of a change of that many channels. */
async function withQuestion(
  kit: ClientKit,
  { channels = 2, rows = 50 }: { readonly channels?: number; readonly rows?: number },
  use: (terminal: Terminal, team: Team) => Promise<void>,
): Promise<void> {
  const { step, prepare } = shrink(channels);
  await withTeam(kit, 'bob', { argv: kit.newestRevision ?? [], steps: [step], prepare }, async (team) => {
    const terminal = await team.sit(rows, 'Take the first video out of these.');
    await terminal.until(kit.formTop);
    await sleep(READ_MS);
    await use(terminal, team);
  });
}

const DRAWN = WITH_LINKS.filter(([, { name }]) => name === 'claude-code');

describe.skipIf(NO_TERMINAL).each(DRAWN)('%s', (_, kit) => {
  test.each([50, 24])('asks whether to open the link as it is recorded, on %i rows', async (rows) => {
    await withQuestion(kit, { channels: 30, rows }, async (terminal, team) => {
      const screen = await terminal.screen();
      expect(updatesOf(team)).toBe(0);
      for (const shown of ['Change 30 channels', 'Loses 30 videos in 30 channels', `${team.tap.url}/changes/chg-`])
        expect(screen).toContain(shown);
      if (rows === 50) await draw(kit, terminal, 'link');
      await expectAsRecorded(kit, screen, rows, '-link');
    });
  });

  test('opens it in the browser, and its model is told what somebody decided there before the person goes on', async () => {
    await withQuestion(kit, {}, async (terminal, team) => {
      await terminal.press(...KEYS.open);
      const [opened = ''] = await terminal.meanwhile(team.opened());
      await team.press('ann', opened, 'apply');
      expect(updatesOf(team)).toBe(2);
      await terminal.press(...KEYS.goOn);
      await terminal.until(DONE);
      expect(updatesOf(team)).toBe(2);
      expect(team.model.given().map(({ text }) => text)).toEqual([
        expect.stringMatching(/"status":"applied".*ann approved on the approval page/s),
      ]);
      expect(opened).toContain(changeIdIn(team.model.given()[0]));
    });
  });

  test('asks at a terminal also after a run without one declined for its person', async () => {
    const { step, prepare } = shrink(2);
    await withTeam(kit, 'bob', { steps: [step], prepare }, async ({ ask, sit, tap }) => {
      const [told] = await ask();
      expect(linkIn(told)).toContain(`${tap.url}/changes/chg-`);
      await (await sit(50, 'Take the first video out of these.')).until(kit.formTop);
    });
  });

  test('tells its model that the change waits on, if the person declines to open it', async () => {
    await withQuestion(kit, {}, async (terminal, team) => {
      await terminal.press(...KEYS.decline);
      await terminal.until(DONE);
      expect(updatesOf(team)).toBe(0);
      const [told] = team.model.given();
      expect(told?.text).toMatch(/"status":"waiting"/);
      await team.press('ann', linkIn(told), 'apply');
      expect(updatesOf(team)).toBe(2);
    });
  });
});

const UNDRAWN = NAMED.filter((named) => !DRAWN.includes(named));

test.skipIf(NO_TERMINAL).each(UNDRAWN)('%s asks nothing of its own, and its model has the link', async (_, kit) => {
  const { step, prepare } = shrink(2);
  await withTeam(kit, 'bob', { argv: kit.newestRevision ?? [], steps: [step], prepare }, async (team) => {
    const terminal = await team.sit(50, 'Take the first video out of these.');
    if (OWN_QUESTION.test(await terminal.until(new RegExp(`${OWN_QUESTION.source}|${DONE.source}`)))) await terminal.press('Enter');
    await terminal.until(DONE);
    expect(updatesOf(team)).toBe(0);
    expect(linkIn(team.model.given()[0])).toContain(`${team.tap.url}/changes/chg-`);
  });
});
