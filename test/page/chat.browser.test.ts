/** The chat view in hosts that limit it in different ways (`Mood`): it draws the data, or says what to do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { atEnd } from '../harness/cleanup.ts';
import type { Values } from '../harness/client.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { startService } from '../harness/service.ts';
import { freshHome, startRaw } from '../harness/start.ts';
import { axeProblems, chatHtml, type Look, scrollsSideways, useBrowser } from './support/browser.ts';
import { type Mood, startChatHost } from './support/chat-host.ts';

const browser = useBrowser();

const ALL = ['serverTools', 'serverResources'] as const;
const MOODS = {
  strict: { offers: ALL },
  'offers resources only': { offers: ['serverResources'] },
  'strips structured content and _meta': { offers: ALL, strips: true },
  'never sends the result': { offers: ALL, withholds: ['result'] },
  'refuses calls': { offers: ALL, refuses: true },
  'offers tools only': { offers: ['serverTools'] },
} as const satisfies Record<string, Mood>;

/** The arguments of a view, and its heading in every host that can draw it. */
interface Case {
  readonly input: Values;
  readonly heading: RegExp;
}

/** An account with an applied change, a change that waits on the approval page, a channel with known contents, and a report. */
async function createStage() {
  const demo = await startService({ channels: 3, projects: 2, videos: 2_500 });
  demo.behaviour.channelRecordsShowContents = true;
  const catalogue = join(freshHome(), 'videos.json');
  writeFileSync(catalogue, JSON.stringify([...demo.world.videos.values()].map(({ id, key, title }) => ({ id, key, title }))));
  const opener = createTestBrowser();
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
  const env = { ...opener.env, VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue };
  const { client } = await startRaw({ demo, via: 'process', capabilities, env });
  // Copies, because the change below alters the records.
  const [first, second] = [0, 1].map((at) => structuredClone(channelAt(demo, at)));
  if (first === undefined || second === undefined) throw new Error('There are no channels.');
  const change = (channel: string, more: Values) => client.callTool('update_channels', { changes: [{ channel, ...more }] });

  const agreed = change(first.id, { name: 'Renamed', removeVideoKeys: first.videoKeys.slice(0, 1) });
  const person = await enterPage(await opener.opened());
  await person.decide(await person.firstWaiting(), 'apply');
  const { changeId } = z.looseObject({ changeId: z.string() }).parse((await agreed).data);
  const unanswered = change(second.id, { removeVideoKeys: second.videoKeys.slice(0, 1) });
  // The call ends with the server.
  unanswered.catch(() => undefined);
  const waiting = await person.firstWaiting();
  const answer = await client.callTool('query_analytics', { from: '2026-01-01', groupBy: ['video'] });
  const { report } = z.looseObject({ report: z.string() }).parse(answer.data);
  const cases = {
    'the history of changes': { input: { what: 'changes' }, heading: /^(Changes|1 change waits for you)$/ },
    'a receipt': { input: { what: 'change', id: changeId }, heading: /^Change “.*”: name → / },
    'a plan': { input: { what: 'change', id: waiting.changeId }, heading: /^Remove 1 of/ },
    'a channel': { input: { what: 'channel', id: 'Renamed' }, heading: /^Renamed$/ },
    'a report': { input: { what: 'report', id: report }, heading: /views by video|A bar chart/i },
  } satisfies Record<string, Case>;
  const read = await client.request('resources/read', { uri: 'ui://video-hosting/view.html' });
  const [document] = z.looseObject({ contents: z.array(z.looseObject({ text: z.string() })) }).parse(read).contents;
  const host = await startChatHost(document?.text ?? '', (method, params) => client.request(method, params));
  atEnd(() => host.close());
  /** The view of a call of `show_to_user` in a host of this mood. */
  async function show(mood: Mood, input: Values, look?: Look): Promise<{ page: Page; view: FrameLocator; frame: () => Frame }> {
    const result = await client.request('tools/call', { name: 'show_to_user', arguments: input });
    const shown = await browser.open(host.show({ mood, input, result }), look);
    const view = shown.frameLocator('iframe').frameLocator('iframe');
    await view.locator('h1').waitFor();
    const frame = () => {
      const found = shown.frames().find((one) => one.parentFrame()?.parentFrame());
      if (found === undefined) throw new Error('There is no view.');
      return found;
    };
    return { page: shown, view, frame };
  }
  return { demo, opener, host, person, cases, show, changeId, channel: first, waiting };
}

/** Moods in which the view can read data, and moods in which it can’t. */
const DRAWING = ['strict', 'offers resources only', 'strips structured content and _meta', 'never sends the result'] as const;
const REFUSING = ['refuses calls', 'offers tools only'] as const;

test('all views are drawn, without buttons that act, in every host that lets the view read', async () => {
  const { cases, show, demo, host } = await createStage();
  const writes = writesOf(demo).length;
  const wrong: string[] = [];
  for (const mood of DRAWING)
    for (const [name, { input, heading }] of Object.entries(cases)) {
      const { view, frame, page } = await show(MOODS[mood], input);
      await view.getByRole('heading', { level: 1, name: heading }).waitFor();
      const acting = view.getByRole('button', { name: /Apply|Decline|Stop|Undo|Change 1/ });
      if ((await view.getByText('could not be shown').count()) + (await acting.count()) > 0) wrong.push(`${name}, ${mood}`);
      if (mood === 'strict') wrong.push(...(await axeProblems(frame())));
      await page.close();
    }
  expect(wrong).toEqual([]);
  expect(writesOf(demo)).toHaveLength(writes);
  expect(host.sent.filter(({ method }) => method === 'tools/call')).toEqual([]);
});

test('in a host that lets the view read nothing, each view says what to ask the assistant', async () => {
  const { cases, show } = await createStage();
  for (const mood of REFUSING)
    for (const { input } of Object.values(cases)) {
      const { view, frame, page } = await show(MOODS[mood], input);
      await view.getByText(/Ask your assistant to tell you, or to show it in your browser/).waitFor();
      if (mood === 'refuses calls') expect(await axeProblems(frame())).toEqual([]);
      await page.close();
    }
});

test('in a host that passes no input and no result, the view lists the changes and opens a chosen one', async () => {
  const { show } = await createStage();
  const { view } = await show({ offers: ALL, withholds: ['input', 'result'] }, {});
  await view.getByText('did not arrive here').waitFor();
  await view
    .getByRole('link', { name: /^Change “.*”: name → / })
    .last()
    .click();
  await view.getByText('Everything was applied.').first().waitFor();
});

test('a call that is cancelled before the host passed its input shows “Nothing to show”', async () => {
  const { show } = await createStage();
  const { page, view } = await show({ offers: ALL, withholds: ['input', 'result'], cancels: true }, {});
  await view.getByRole('heading', { name: 'Nothing to show' }).waitFor();
  expect(await page.evaluate('teardown()')).toEqual({});
});

test('a receipt, a plan, a channel and a report show the same details as on the approval page', async () => {
  const { cases, show, channel, demo } = await createStage();
  const { view: receipt } = await show(MOODS.strict, cases['a receipt'].input);
  await receipt.getByText('Everything was applied.').first().waitFor();
  const lost = demo.world.videosByKey.get(channel.videoKeys[0] ?? '')?.title ?? '';
  expect(lost).not.toBe('');
  await receipt.getByText(lost, { exact: true }).first().waitFor();
  const { view: plan } = await show(MOODS.strict, cases['a plan'].input);
  await plan.getByRole('region', { name: 'What would be removed' }).waitFor();
  await plan.getByText(/To look at only/).waitFor();
  const { view: holds } = await show(MOODS.strict, cases['a channel'].input);
  await holds.getByRole('heading', { name: `${channel.videoKeys.length - 1} videos` }).waitFor();
  // Too many for a tool’s answer.
  const long = channelAt(demo, 2);
  long.videoKeys.splice(0, Number.POSITIVE_INFINITY, ...demo.world.videosByKey.keys());
  const { view: whole } = await show(MOODS.strict, { what: 'channel', id: long.id });
  await whole.getByRole('heading', { name: '2,500 videos' }).waitFor();
  const { view: report, frame } = await show(MOODS.strict, cases['a report'].input);
  await report.getByRole('cell').first().waitFor();
  await expect.poll(() => frame().evaluate('document.querySelector("img.chart")?.naturalWidth ?? 0')).toBeGreaterThan(100);
});

test('a plan becomes a receipt once it is confirmed on the approval page', async () => {
  const { cases, show, person, waiting } = await createStage();
  const { view } = await show(MOODS.strict, cases['a plan'].input);
  await view.getByText('Waits for you').waitFor();
  await person.decide(waiting, 'apply');
  await view.getByText('Everything was applied.').first().waitFor();
});

test('the view follows the theme, fonts, size and full screen of its host, and does not take the focus', async () => {
  const { cases, show, host } = await createStage();
  const context = { theme: 'dark', locale: 'de-DE', styles: { variables: { '--font-sans': 'Georgia, serif' } } };
  const { view, page, frame } = await show({ offers: ALL, context }, cases['a receipt'].input, { scheme: 'light', width: 420 });
  await view.getByText('Everything was applied.').first().waitFor();
  const ground = () => frame().evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await ground()).toBe('rgb(20, 21, 23)');
  expect(await frame().evaluate('getComputedStyle(document.body).fontFamily')).toContain('Georgia');
  expect(await axeProblems(frame())).toEqual([]);
  expect(await scrollsSideways(frame())).toBe(false);
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await page.evaluate('changeContext({ theme: "light" })');
  await expect.poll(ground).toBe('rgb(247, 246, 243)');
  // The view ignores messages from a window other than its parent.
  await page.evaluate(
    `frames[0].frames[0].postMessage({ jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } }, '*')`,
  );
  await page.evaluate('changeContext({ locale: "en-GB" })');
  expect(await ground()).toBe('rgb(247, 246, 243)');
  // The frame is as high as the view.
  await expect.poll(() => frame().evaluate('document.documentElement.scrollHeight <= window.innerHeight')).toBe(true);
  await view.getByRole('button', { name: 'Full screen' }).click();
  await view.getByRole('button', { name: 'Back to the conversation' }).waitFor();
  const sizes = host.sent.filter(({ method }) => method === 'ui/notifications/size-changed');
  expect(sizes.length).toBeLessThan(20);
});

test('“Open in the browser” shows the view on the approval page', async () => {
  const { cases, show, person, changeId } = await createStage();
  const events = await person.events();
  const { view } = await show(MOODS.strict, cases['a receipt'].input);
  await view.getByRole('button', { name: 'Open in the browser' }).click();
  await view.getByText(`in the user’s browser, at the change ${changeId}`).waitFor();
  expect(await events.next(({ type }) => type === 'show')).toEqual({ type: 'show', view: `#/changes/${changeId}` });
});

test('the document has no code that decides, loads nothing from other origins, and is below 150 kB', () => {
  const html = chatHtml();
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  expect(html.match(/<(script|style)/g)).toEqual(['<style', '<script']);
  expect(html.replace(script, '').match(/\son\w+=|\sstyle=|https?:|@import/g)).toBeNull();
  expect(script.match(/\beval\(|new Function\(|\bfetch\(|EventSource|https?:\/\/(?!www\.w3\.org\/)[^"'`]*/g)).toBeNull();
  expect(script).not.toMatch(/Note for the assistant|x-page-token|decision/);
  expect(html.length).toBeLessThan(150_000);
});
