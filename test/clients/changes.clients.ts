/** A change with each way of confirming it, without a person at the client: first the account, then the model's answers. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemoService } from '../../src/demo/service.ts';
import { type ClientKit, NAMED } from './support/kits.ts';
import { type LabOptions, withLab } from './support/lab.ts';
import type { Given, Step } from './support/script.ts';

const NAME = 'Onboarding for everybody';

/** Marks an answer as a preview, which changes nothing yet. */
const PREVIEW = /NOT DONE|confirmation_required/;

const TOKEN = /confirmationToken"?:? ?"?(t\d+)/;
const SUMMARY = 'Change 1 channel (name)';

/** The change; its confirmation, if the last answer gave a token. */
const rename: Step = (given) => {
  const text = given.at(-1)?.text ?? '';
  const confirmationToken = TOKEN.exec(text)?.[1];
  if (confirmationToken === undefined) return { tool: 'update_channels', args: { changes: [{ channel: 'Onboarding', name: NAME }] } };
  return { tool: 'confirm_change', args: { changeId: /chg-[\w-]+/.exec(text)?.[0], confirmationToken, summary: SUMMARY } };
};

interface Outcome {
  /** How often the account was changed. */
  readonly updates: number;
  readonly isRenamed: boolean;
  readonly told: readonly string[];
}

const updatesOf = (demo: DemoService): number => demo.requests.filter(({ method, applied }) => method === 'PUT' && applied).length;

/** Has the model ask for the change that many times. */
function change(kit: ClientKit, times: number, options: Omit<LabOptions, 'steps'>): Promise<Outcome> {
  return withLab(kit, { argv: kit.allowChanges, ...options, steps: Array.from({ length: times }, () => rename) }, async ({ ask, demo }) => {
    const told = (await ask()).map(({ text }: Given) => text);
    return { updates: updatesOf(demo), isRenamed: [...demo.world.channels.values()].some(({ name }) => name === NAME), told };
  });
}

const confirm = (mode: string) => ({ env: { VIDEO_HOSTING_CONFIRM: mode } });

describe.each(NAMED)('%s', (_, kit) => {
  let byToken: Outcome;
  beforeAll(async () => {
    byToken = await change(kit, 2, confirm('token'));
  });

  test('confirmation by token: the first call shows a preview, and the second applies the change once', () => {
    const { updates, isRenamed, told } = byToken;
    expect({ updates, isRenamed }).toEqual({ updates: 1, isRenamed: true });
    expect(told[0]).toMatch(PREVIEW);
    expect(told[0]).toContain(NAME);
    expect(told[1]).toMatch(/applied/);
    expect(told[1]).toMatch(/by token/i);
  });

  test('no confirmation: the first call applies the change', async () => {
    const { updates, isRenamed, told } = await change(kit, 1, confirm('never'));
    expect({ updates, isRenamed }).toEqual({ updates: 1, isRenamed: true });
    expect(told[0]).toMatch(/applied/);
  });

  test('confirmation by form: a client that draws no form changes nothing, and the answer says so', async () => {
    const { updates, told } = await change(kit, 2, confirm('form'));
    expect(updates).toBe(0);
    for (const text of told) expect(text).toMatch(/Nothing was sent/);
  });
});

const OF = (name: ClientKit['name']) => NAMED.filter(([, kit]) => kit.name === name);

describe('with the default confirmation', () => {
  test.each([...OF('gemini'), ...OF('claude-code')])('%s declares or draws no forms, and the same call returns a token', async (_, kit) => {
    const { updates, told } = await change(kit, 2, {});
    expect(updates).toBe(1);
    expect(told[0]).toMatch(PREVIEW);
  });

  test.each(OF('codex'))('%s declines a form that it does not draw, and the next call returns a token', async (_, kit) => {
    const { updates, told } = await change(kit, 3, {});
    expect(updates).toBe(1);
    expect(told[0]).toMatch(/declined/);
    expect(told[1]).toMatch(PREVIEW);
  });

  test.each(OF('codex'))('%s refuses tools that change something, unless they are allowed in its settings', async (_, kit) => {
    const { updates, told } = await change(kit, 1, { argv: [] });
    expect(updates).toBe(0);
    expect(told).toEqual([expect.stringContaining('requires approval, but approval policy is never')]);
  });
});
