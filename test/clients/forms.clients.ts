/** What a person sees of a form in real clients, and what the pressed keys do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ClientKit, WITH_FORMS } from './support/kits.ts';
import { type Lab, withLab } from './support/lab.ts';
import { draw, expectAsRecorded, OWN_QUESTION, READ_MS, shrink } from './support/questions.ts';
import { NO_TERMINAL, type Terminal } from './support/terminal.ts';

/** Keys that agree, and that refuse, in a form as each client draws it. */
const KEYS = {
  'claude-code': { agree: ['Space', 'Enter', 'Enter'], refuse: ['Down', 'Right', 'Enter'] },
  codex: { agree: ['Down', 'Enter'], refuse: ['Enter'] },
  gemini: { agree: [], refuse: [] },
} as const;

const FORM = /☐|1\. Change nothing/;

/** Opens a form for that many channels in a terminal of that height. */
async function withForm(kit: ClientKit, options: { channels: number; rows: number }, use: (terminal: Terminal, lab: Lab) => Promise<void>) {
  const { step, prepare } = shrink(options.channels);
  await withLab(kit, { steps: [step], prepare }, async (lab) => {
    const terminal = await lab.sit(options.rows, 'Take the first video out of these.');
    if (OWN_QUESTION.test(await terminal.until(new RegExp(`${OWN_QUESTION.source}|${FORM.source}`)))) await terminal.press('Enter');
    await terminal.until(FORM);
    await sleep(READ_MS);
    await use(terminal, lab);
  });
}

const updatesOf = ({ demo }: Lab): number => demo.requests.filter(({ method, applied }) => method === 'PUT' && applied).length;

describe.skipIf(NO_TERMINAL).each(WITH_FORMS)('%s', (_, kit) => {
  describe.each([{ rows: 50 }, { rows: 24 }])('a form for 30 channels on $rows rows', ({ rows }) => {
    let screen: string;
    let updates: number;
    beforeAll(async () => {
      await withForm(kit, { channels: 30, rows }, async (terminal, lab) => {
        screen = await terminal.screen();
        await terminal.press('Enter', 'Enter');
        await terminal.until(/That is all\.|☐/);
        updates = updatesOf(lab);
      });
    });

    test('matches the recorded screen', async () => {
      await expectAsRecorded(kit, screen, rows);
    });

    test('shows the change', () => expect(screen).toContain('Change 30 channels'));

    test('shows what is lost in all, also where it is folded', () => expect(screen).toMatch(/Loses 30 videos in 30 channels/));

    test('shows that it can be refused', () => {
      expect(screen).toMatch(kit.name === 'codex' ? /1\. Change nothing[\s\S]*2\. Change 30 channels/ : /☐/);
    });

    test('changes nothing if only Enter is pressed', () => expect(updates).toBe(0));
  });

  test.runIf(kit.name === 'claude-code')('a form is drawn at a terminal, also after a run without a terminal cancelled one', async () => {
    const { step, prepare } = shrink(2);
    await withLab(kit, { steps: [step], prepare }, async (lab) => {
      expect((await lab.ask()).map(({ text }) => text)).toEqual([expect.stringContaining('cancelled a form at once')]);
      await (await lab.sit(50, 'Take the first video out of these.')).until(FORM);
      expect(updatesOf(lab)).toBe(0);
    });
  });

  describe('a form for 2 channels', () => {
    const size = { channels: 2, rows: 50 };

    test('changes both channels if the person agrees', async () => {
      await withForm(kit, size, async (terminal, lab) => {
        expect(await terminal.screen()).toContain('Change 2 channels.');
        if (kit.name === 'claude-code') await draw(kit, terminal, 'form');
        await terminal.press(...KEYS[kit.name].agree);
        await terminal.until(/That is all\./);
        expect(updatesOf(lab)).toBe(2);
        expect(lab.model.given().map(({ text }) => text)).toEqual([expect.stringMatching(/applied/)]);
      });
    });

    test('changes nothing if the person refuses', async () => {
      await withForm(kit, size, async (terminal, lab) => {
        await terminal.press(...KEYS[kit.name].refuse);
        await terminal.until(/That is all\./);
        expect(updatesOf(lab)).toBe(0);
        expect(lab.model.given().map(({ text }) => text)).toEqual([expect.stringMatching(/declined/)]);
      });
    });

    test('changes nothing if the person closes it', async () => {
      await withForm(kit, size, async (terminal, lab) => {
        await terminal.press('Escape');
        await expect.poll(() => lab.model.given().map(({ text }) => text)).toEqual([expect.stringMatching(/declined/)]);
        expect(updatesOf(lab)).toBe(0);
      });
    });
  });
});
