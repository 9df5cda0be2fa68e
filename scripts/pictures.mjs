// The documentation's pictures of the made-up account of the tour: the README's chart, and the approval page and its views in
// a conversation, in the Chromium of the tests.
//
//   node scripts/pictures.mjs            writes docs/chart.png, docs/page-*.png and docs/app-*.png
//   node scripts/pictures.mjs --check    fails where they are not of the size that would be drawn
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { loadSource } from './load-source.mjs';
import { root } from './root.mjs';
import { pngSize } from './tour/checks.mjs';
import { createStage } from './tour/stage.mjs';

const WIDE = { width: 980, height: 600 };
const PHONE = { width: 390, height: 720 };
const isCheck = process.argv.includes('--check');

const stage = await createStage({ onForm: () => ({ action: 'accept', content: { decision: 'apply' } }) });
const chrome = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'] });
const opener = mkdtempSync(join(tmpdir(), 'pictures-'));
try {
  const address = join(opener, 'address');
  const program = join(opener, 'browser');
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${address}'\n`);
  chmodSync(program, 0o700);
  const client = await stage.connect({ forms: false, env: { VIDEO_HOSTING_BROWSER: program } });
  await keepChart(client);
  const call = (name, args) => client.callTool({ name, arguments: args }, { timeout: 120_000 });
  const shown = call('show_to_user', { what: 'changes' });
  while (!existsSync(address) || readFileSync(address, 'utf8') === '') await sleep(20);
  const context = await chrome.newContext({
    viewport: WIDE,
    deviceScaleFactor: 1.25,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  await context.clock.setFixedTime(stage.now);
  const page = await context.newPage();
  // The made-up account is on a port that differs from run to run.
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), account: 'api.example.com' } });
  });
  await page.goto(readFileSync(address, 'utf8'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await shown;

  const channel = (name) => stage.world.channelNamed(name);
  const stated = (name) => ({
    channel: channel(name).id,
    currentVideoKeys: [...channel(name).videoKeys],
    currentProjectKeys: [...channel(name).projectKeys],
  });
  const dark = stage.world.templates.find(({ name, planType }) => name === 'Dark' && planType === 1);
  const [help, best, spring] = ['Legacy Player Help', 'Webinars 2024 – Best of', 'Webinars 2024 – Spring'];
  const change = call('update_channels', {
    changes: [
      { ...stated(help), removeVideoKeys: channel(help).videoKeys.slice(0, 1) },
      { ...stated(best), name: 'Best of 2024', template: dark.key, firstVideoKeys: channel(best).videoKeys.slice(-3) },
      { ...stated(spring), addVideoKeys: channel(best).videoKeys.slice(0, 1) },
    ],
  });
  await page.getByRole('button', { name: 'Change 3 channels' }).waitFor();
  await keep(page, 'approve');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await keep(page, 'phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Decline' }).click();
  await change;

  await call('query_analytics', { from: '2026-07-01', channels: [spring], groupBy: ['video'] });
  await call('show_to_user', { what: 'channel', id: channel(spring).id });
  await page.getByLabel('Paste keys, ids or titles').fill(channel(spring).videoKeys.slice(0, 12).join('\n'));
  await page.getByRole('button', { name: /^Add 12/ }).click();
  const rows = page.getByRole('option');
  await rows.nth(3).click();
  await rows.nth(4).click();
  await page.getByLabel('Paste keys, ids or titles').fill(`${channel(spring).videoKeys[1]}\n${channel(best).videoKeys[0]}\nmistyped1`);
  await page.getByText('mistyped1', { exact: false }).last().waitFor();
  await page.getByText('Reading …').waitFor({ state: 'hidden' });
  await keep(page, 'contents');
  await keepReceipt(context);
} finally {
  await chrome.close();
  await stage.close();
  rmSync(opener, { recursive: true, force: true });
}

/** What the README asks: what happened on a day in February. */
async function keepChart(client) {
  const question = { from: '2026-02', groupBy: ['day', 'embed_domain'], orderBy: '-views', limit: 3 };
  const { structuredContent } = await client.callTool({ name: 'query_analytics', arguments: question }, { timeout: 120_000 });
  const drawing = { report: structuredContent.report, kind: 'stacked_bar' };
  const { content } = await client.callTool({ name: 'draw_chart', arguments: drawing }, { timeout: 120_000 });
  keepPng(Buffer.from(content.find(({ type }) => type === 'image').data, 'base64'), 'chart');
}

/** A receipt as a conversation shows it, in the host of the tests. */
async function keepReceipt(context) {
  const client = await stage.connect({ forms: true });
  const [spring, best] = ['Webinars 2024 – Spring', 'Webinars 2024 – Best of'].map((name) => stage.world.channelNamed(name));
  const change = {
    channel: spring.id,
    currentVideoKeys: [...spring.videoKeys],
    currentProjectKeys: [...spring.projectKeys],
    name: 'Spring webinars',
    removeVideoKeys: spring.videoKeys.slice(2, 4),
    addVideoKeys: best.videoKeys.slice(0, 1),
  };
  const { structuredContent } = await client.callTool({ name: 'update_channels', arguments: { changes: [change] } });
  const input = { what: 'change', id: structuredContent.changeId };
  const result = await client.callTool({ name: 'show_to_user', arguments: input });
  const { startChatHost } = await loadSource(`export { startChatHost } from '../test/page/support/chat-host.ts';`);
  const html = readFileSync(join(root, 'dist', 'chat.html'), 'utf8');
  const host = await startChatHost(html, (method, params) =>
    method === 'tools/call' ? client.callTool(params) : client.readResource(params),
  );
  const page = await context.newPage();
  await page.setViewportSize({ width: 720, height: 600 });
  await page.goto(host.show({ mood: { offers: ['serverTools', 'serverResources'] }, input, result }));
  const frame = page.frameLocator('iframe').frameLocator('iframe');
  await frame.getByText('Everything was applied.').waitFor();
  // The host gives the frame the height that the view tells.
  await page.waitForFunction('document.querySelector("iframe").style.height !== ""');
  await sleep(200);
  keepPng(await page.locator('iframe').screenshot({ scale: 'css' }), 'app-receipt');
  await host.close();
}

async function keep(page, name) {
  await page.evaluate('document.fonts.ready.then(() => scrollTo(0, 0))');
  keepPng(await page.screenshot(), `page-${name}`);
}

function keepPng(png, name) {
  const file = join(root, 'docs', `${name}.png`);
  if (!isCheck) {
    writeFileSync(file, png);
    return;
  }
  const [wanted, kept] = [png, readFileSync(file)].map((bytes) => Object.values(pngSize(bytes)).join(' × '));
  if (wanted === kept) return;
  console.error(`docs/${name}.png is ${kept} and would be ${wanted}. Run node scripts/pictures.mjs and look at it.`);
  process.exitCode = 1;
}
