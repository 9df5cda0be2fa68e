import { expect, test } from 'vitest';
import type { DemoView } from '../../src/demo/records.ts';
import type { DemoService } from '../harness/demo.ts';
import { plantHostileTexts, plantPersonalTokens } from '../harness/planting.ts';
import { ask, startSmall } from './harness.ts';

function content({ world }: DemoService): unknown {
  return [world.accountId, [...world.channels], [...world.projects], [...world.videos], world.templates, world.plans, world.emails];
}

test('the same seed gives the same account and views, and another seed another account', async () => {
  const [one, two, other] = [await startSmall({ seed: 7 }), await startSmall({ seed: 7 }), await startSmall({ seed: 8 })];
  expect(content(two)).toEqual(content(one));
  expect([...two.world.views.each()]).toEqual([...one.world.views.each()]);
  expect(content(other)).not.toEqual(content(one));
});

test('the views do not depend on edits made before they are first read', async () => {
  const [plain, edited] = [await startSmall(), await startSmall()];
  for (const video of edited.world.videos.values()) video.projectId = edited.world.projectNamed('Archive').id;
  for (const id of [...edited.world.channels.keys()]) edited.world.channels.delete(id);
  expect([...edited.world.views.each()]).toEqual([...plain.world.views.each()]);
});

test('ids and keys of different kinds look different', async () => {
  const { world } = await startSmall();
  expect([...world.channels.keys()].every((id) => /^c4a0[0-9a-f]{20}$/.test(id))).toBe(true);
  expect([...world.channels.values()].every((channel) => /^[A-Z2-9]{10}$/.test(channel.key))).toBe(true);
  expect([...world.videos.keys()].every((id) => /^b1d0[0-9a-f]{20}$/.test(id))).toBe(true);
  expect([...world.videosByKey.keys()].every((key) => /^[1-9A-HJ-NP-Za-km-z]{11}$/.test(key))).toBe(true);
  expect([...world.projects.values()].every((project) => /^a7e0/.test(project.id) && /^[a-z]{8}$/.test(project.key))).toBe(true);
});

test('the account has duplicate names, long descriptions, channels with projects and templates of all plans', async () => {
  const { world } = await startSmall({ videos: 800 });
  const names = [...world.channels.values()].map((channel) => channel.name);
  expect(names.filter((name) => name === 'Customer Stories')).toHaveLength(2);
  expect(names.filter((name) => name.startsWith('Webinars 2024'))).toHaveLength(3);
  expect(world.channelNamed('Summit 2025').description).toHaveLength(250);
  expect([...world.channels.values()].some((channel) => channel.projectKeys.length > 0 && channel.videoKeys.length === 0)).toBe(true);
  expect(new Set(world.templates.map((template) => template.planType))).toEqual(new Set([1, 2, 3, 4]));
  expect(world.templates.some((template) => template.status !== 1)).toBe(true);
  for (const channel of world.channels.values()) expect(channel.videoKeys.every((key) => world.videosByKey.has(key))).toBe(true);
});

test('the views include a viral day, a declining channel and a few views that never started', async () => {
  const { world } = await startSmall({ views: 60_000, videos: 800 });
  const views = [...world.views.each()] as DemoView[];
  const days = [...countBy(views, (view) => view.date.slice(0, 10)).values()].sort((a, b) => b - a);
  expect((days[0] ?? 0) / (days[20] ?? 1)).toBeGreaterThan(2.5);
  const { key } = world.channelNamed('Legacy Player Help');
  const dying = (from: string, to: string) =>
    views.filter(({ channelKey, date }) => channelKey === key && date >= from && date < to).length;
  expect(dying('2025', '2026-01-01')).toBeGreaterThan(2 * dying('2026-07-01', '2027'));
  const notStarted = views.filter((view) => !view.started);
  expect(notStarted.length / views.length).toBeGreaterThan(0.03);
  expect(notStarted.length / views.length).toBeLessThan(0.1);
  expect(notStarted.every((view) => view.watchTime === 0 && !view.ended)).toBe(true);
  expect(countBy(views, (view) => view.geo.country).size).toBeGreaterThan(15);
});

test('every IP and email address is reserved for documentation or tests', async () => {
  const { world } = await startSmall();
  const views = [...world.views.each()] as DemoView[];
  expect(views.every((view) => /^(192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8::)/.test(view.geo.ip))).toBe(true);
  expect(world.emails.every((email) => /(@|\.)(example\.(com|org|net)|example|test)$/.test(email.email))).toBe(true);
});

test('planted personal tokens each occur once in what the service sends', async () => {
  const demo = await startSmall();
  const planted = plantPersonalTokens(demo.world);
  const views = await ask(demo, 'POST /v1/logs/data', { body: { from: '2026-10-31T12:00:00', size: 1000 } });
  const emails = await ask(demo, 'GET /v1/videos/collected-emails');
  const sent = views.text + emails.text;
  expect(planted).toHaveLength(30);
  for (const { token } of planted) expect(sent.split(token)).toHaveLength(2);
});

test.each([
  ['channels', 'GET /v1/channels?size=100', 'name'],
  ['channels', 'GET /v1/channels?size=100', 'description'],
  ['projects', 'GET /v1/projects?size=100', 'name'],
  ['plans', 'GET /v1/plans', 'name'],
  [undefined, 'GET /v1/channels/templates', 'name'],
])('hostile texts are in %s of %s, field %s', async (list, target, field) => {
  const demo = await startSmall();
  const texts = new Set(plantHostileTexts(demo.world));
  const { json } = await ask(demo, target);
  const records: Record<string, string>[] = list === undefined ? json : json[list];
  expect(records.filter((record) => texts.has(record[field] ?? '')).length).toBeGreaterThanOrEqual(5);
});

test('hostile texts are in messages and view records', async () => {
  const demo = await startSmall();
  const texts = plantHostileTexts(demo.world);
  expect((await ask(demo, 'GET /v1/channels/nope')).json.message).toContain(texts[0]);
  const { json } = await ask(demo, 'POST /v1/logs/data', { body: { from: '2026-10-31', size: 1000 } });
  const domains = new Set(json.views.map((view: DemoView) => view.embed?.domain));
  // Lone surrogates are also sent and returned unchanged.
  for (const text of texts) expect(domains.has(text)).toBe(true);
});

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
