/**
 * What a person is shown, on the page, in forms and at the terminal, is in their words: no tool, no argument and no flag of ours.
 * What an assistant does next stands in hints, which only an assistant reads.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fullText, outcomeText, resultText, waitingText } from '../../src/changes/tell/terminal.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { personOf, WAIT } from '../changes/proposals/harness.ts';
import type { FormHandler, Values } from '../harness/client.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { type DemoService, NO_BROWSER, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { CHANGE_TOOLS, sampleOf } from '../mcp/tools/calls.ts';
import { STORIES } from './stories.ts';

/** Where a person may read names of ours, and why. */
const EXCEPTIONS: readonly (readonly [RegExp, string])[] = [
  [/"(?:[^"\\]|\\.)*"/g, 'names of records, files and columns are as they are'],
  [/\(\w+: [^)]*today’s/g, 'the kind of a rule is what a person wrote into the file of standing approvals'],
];

/** The names of all arguments; those that are English words, such as `name` and `page`, can’t be told from words. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties).filter((name) => /[A-Z]/.test(name)), ...Object.values(schema).flatMap(namesIn)];
}

const { tools } = listing();
const FLAGS = Object.values(SETTINGS).flatMap((setting) => ('flag' in setting ? [`--${setting.flag}`] : []));
const NAMES = [...tools.map(({ name }) => name), ...new Set(tools.flatMap(({ inputSchema }) => namesIn(inputSchema))), ...FLAGS];
const OURS = new RegExp(`(?<![\\w-])(?:${NAMES.join('|')})(?![\\w-])`);

const ofOurs = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => OURS.test(EXCEPTIONS.reduce((rest, [excepted]) => rest.replace(excepted, ''), line)));

/** The texts of an answer; what has no space is a word of the data. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const { signal } = new AbortController();

/** The page and the terminal of a person, on the data of a server: all that waits, and all that came of the rest. */
async function shownIn(demo: DemoService, home: string): Promise<string[]> {
  const workspace = await personOf({ ...settingsFor(demo), ...NO_BROWSER, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') });
  const { decisions, journal } = workspace;
  const texts: string[] = [];
  for (const change of (await decisions.list()).proposals) {
    if (change.status !== 'waiting') texts.push(await resultText(change, journal));
    else {
      texts.push(waitingText(change), fullText(await decisions.preview(change, signal)));
    }
  }
  for (const record of await journal.list(100)) texts.push(await outcomeText(record, journal));
  const browser = createTestBrowser();
  const { client, stop } = await start({ demo, home, env: browser.env });
  await client.callTool('show_to_user', { what: 'changes' });
  const page = await enterPage(await browser.opened());
  const { changes } = await page.changes();
  for (const { changeId } of changes) {
    texts.push(...textsIn(await page.change(changeId)));
    for (const act of ['undo', 'resume']) texts.push(...textsIn(JSON.parse((await page.post(`api/changes/${changeId}/${act}`)).text)));
  }
  await stop();
  return [...texts, ...textsIn(changes)];
}

function formsWith(answer: ReturnType<FormHandler>) {
  const shown: string[] = [];
  const forms: FormHandler = ({ message }) => {
    shown.push(message);
    return answer;
  };
  return { forms, shown };
}

test.each(Object.entries(STORIES))('%s', async (_, story) => {
  const accounts: { readonly demo: DemoService; readonly home: string }[] = [];
  const { forms, shown } = formsWith({ action: 'accept', content: { decision: 'apply' } });
  await story({ server: {}, forms, opened: (account) => accounts.push(account) }, () => undefined);
  for (const { demo, home } of accounts) shown.push(...(await shownIn(demo, home)));
  expect(ofOurs(shown)).toEqual([]);
});

const OTHER_CALLS: Readonly<Record<string, Values>> = {
  state_contents: { channels: [{ channel: 'Webinars 2026', videoKeys: [] }] },
  get_collected_emails: { exportAs: 'csv' },
};

test.each([...CHANGE_TOOLS, ...Object.keys(OTHER_CALLS)])('%s, in a form and where it waits', async (tool) => {
  const [demo, home] = [await startService(), freshHome()];
  const other = OTHER_CALLS[tool];
  const { args, disturb } = other === undefined ? await sampleOf(tool, demo, home) : { args: other, disturb: undefined };
  const { forms, shown } = formsWith({ action: 'decline' });
  await (await start({ demo, home, forms, env: { VIDEO_HOSTING_FILES_DIR: home } })).client.callTool(tool, args);
  expect(shown).not.toEqual([]);
  await (await start({ demo, home, env: WAIT })).client.callTool(tool, args);
  shown.push(...(await shownIn(demo, home)));
  await disturb?.act();
  shown.push(...(await shownIn(demo, home)));
  expect(ofOurs(shown)).toEqual([]);
});
