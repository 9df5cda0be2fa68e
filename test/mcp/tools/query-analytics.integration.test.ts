import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerIn } from '../../analytics/support/ask.ts';
import { ERAS, type ToolReply } from '../../harness/client.ts';
import { hold, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const notesIn = (data: Record<string, unknown> | undefined): readonly unknown[] => (Array.isArray(data?.notes) ? data.notes : []);
/** The notes of an answer, except the one that says that it is complete. */
const otherNotesIn = (data: Record<string, unknown> | undefined): readonly unknown[] =>
  notesIn(data).filter((note) => !/^Complete: all views that the service has are counted/.test(String(note)));
/** A service without views: every number counts only the views that a test adds. */
const emptyService = () => startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });

/** A view at this time, from this country. */
const at = (date: string, country = 'DE') => ({ date, geo: { ip: '192.0.2.9', country, continent: 'EU' } });

test('channels, projects and videos are found by id, key or name, and rows contain their names', async () => {
  const demo = await startService();
  const [channel] = [...demo.world.channels.values()].filter(({ videoKeys }) => videoKeys.length > 0);
  const video = demo.world.videosByKey.get(channel?.videoKeys[0] ?? '');
  const project = demo.world.projects.get(video?.projectId ?? '');
  if (channel === undefined || video === undefined || project === undefined) throw new Error('There is no such channel.');
  demo.world.addView({ date: '2024-01-05T10:00:00.000+00:00', videoKey: video.key, channelKey: channel.key, projectKey: project.key });
  const catalogue = join(freshHome(), 'videos.csv');
  writeFileSync(catalogue, `id,key,title\n${video.id},${video.key},"A, ""fine"" title"\n`);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const day = { from: '2024-01-05', to: '2024-01-05' };
  for (const reference of [channel.id, channel.key, channel.name])
    for (const videoKey of [video.id, video.key, 'A, "fine" title']) {
      const args = { ...day, groupBy: ['channel', 'project', 'video'], channels: [reference], projects: [project.name] };
      const { columns, rows } = answerIn(await client.callTool('query_analytics', { ...args, videoKeys: [videoKey] }));
      const names = 'channel channel_name project project_name video video_title views';
      expect(columns.map(({ name }) => name).join(' ')).toBe(names);
      expect(rows).toEqual([[channel.key, channel.name, project.key, project.name, video.key, 'A, "fine" title', 1]]);
    }
  const sql =
    'SELECT c.name, v.title, count(*) AS n FROM views w JOIN channels c ON c.key = w.channel_key JOIN videos v ON v.key = w.video_key GROUP BY ALL';
  const reply = await client.callTool('run_analytics_sql', { ...day, sql });
  expect(reply.data).toMatchObject({ rows: [[channel.name, 'A, "fine" title', 1]], truncated: false, coverage: { complete: true } });
});

test('wrong arguments are reported together, with valid values', async () => {
  const demo = await startService();
  const { client } = await start({ demo });
  const later = { orderBy: 'view', channels: ['Onbording'] };
  const values = await client.callTool('query_analytics', { from: 'last mnth', to: '2026-02-30', timezone: 'Berlin', ...later });
  const both = await client.callTool('query_analytics', { from: 'last mnth', timezone: 'Berlin', metrics: ['viewers'] });
  expect(both.text).toContain('3 arguments are wrong');
  const sql = await client.callTool('run_analytics_sql', { from: 'last mnth', sql: 'SELECT 1', limit: 0 });
  expect(sql.text).toContain('2 arguments are wrong');
  // Arguments that can be checked alone are reported first; the others need a valid span.
  expect(values.text).toContain('3 arguments are wrong');
  for (const words of ['"last month"', '2026-02-28', 'Europe/Berlin']) expect(values.text).toContain(words);
  const rest = await client.callTool('query_analytics', { from: 'today', ...later });
  expect(rest.text).toContain('2 arguments are wrong');
  for (const words of ['Did you mean views?', '"Onboarding"']) expect(rest.text).toContain(words);
  expect(demo.requests.filter(({ api }) => api === 'stats')).toEqual([]);
});

test('an empty filter matches everything, as in the service, and a note says so', async () => {
  const demo = await emptyService();
  demo.world.addView(at('2026-03-01T10:00:00.000+00:00'));
  const { client } = await start({ demo });
  const span = { from: '2026-03-01', to: '2026-03-01' };
  const reply = await client.callTool('query_analytics', { ...span, videoKeys: [], countries: [], browsers: [] });
  expect(answerIn(reply).rows).toEqual([[1]]);
  const empty = ['videoKeys', 'countries', 'browsers'];
  expect(otherNotesIn(reply.data)).toEqual(empty.map((name) => `${name} is empty, so it filters nothing.`));
});

test.each([
  [
    'a missing credential',
    { kind: 'status', code: 401 },
    'It was asked without a credential: if this API wants one, set VIDEO_HOSTING_STATS_AUTH',
  ],
  ['a redirect', { kind: 'redirect', location: 'https://else.example/' }, 'Set VIDEO_HOSTING_STATS_URL to the final address'],
  ['too many requests', { kind: 'status', code: 429, retryAfter: 3_600 }, 'Try again from '],
] as const)('when views can’t be read because of %s, the error says what to do', async (_, fault, next) => {
  const demo = await emptyService();
  demo.faults.always({ match: { path: '/v1/logs/data' }, do: fault });
  const { client } = await start({ demo });
  for (const [tool, more] of [
    ['query_analytics', {}],
    ['run_analytics_sql', { sql: 'SELECT 1' }],
  ] as const) {
    const { isError, text } = await client.callTool(tool, { from: '2026-03-01', to: '2026-03-01', ...more });
    expect(isError).toBe(true);
    expect(text).toContain('No views could be read. Not read: 2026-03-01 ');
    expect(text).toContain(`Next: ${next}`);
  }
});

test('countries are recognised by common names, and a country without views is not replaced by another', async () => {
  const demo = await emptyService();
  demo.world.addViews(['GB', 'US', 'DE', 'NL', 'PL'].map((country) => at('2026-03-01T12:00:00.000+00:00', country)));
  const { client } = await start({ demo });
  const german = { Deutschland: 'DE', allemagne: 'DE', GER: 'DE' };
  const names = { ...german, UK: 'GB', USA: 'US', 'United States of America': 'US', Holland: 'NL', 'Pays-Bas': 'NL', ポーランド: 'PL' };
  for (const [country, code] of Object.entries(names)) {
    const reply = await client.callTool('query_analytics', { from: '2026-03', countries: [country], groupBy: ['country'] });
    expect(answerIn(reply).rows).toEqual([[code, expect.any(String), 1]]);
    expect(reply.text).toContain(`country ${JSON.stringify(country)} is taken as "${code}".`);
  }
  const countries = ['Polynesia', 'Ireland', 'Polnd', 'Scotland'];
  const none = await client.callTool('query_analytics', { from: '2026-03', countries, groupBy: ['country'] });
  expect(answerIn(none).rows).toEqual([]);
  expect(none.text).toContain('No views with the country "Ireland" in this time. Seen:');
  expect(none.text).toContain('No views with the country "Polnd" in this time. Did you mean "PL"?');
  // A part of a country is not taken as the whole country.
  expect(none.text).toContain(
    'No views with the country "Scotland" in this time. It is not a known country: expected a code or name, such as "DE" or "Germany".',
  );
  // Existing countries are not reported as unknown, with or without views.
  const unseen = ['Hong Kong', 'Taiwan', 'Myanmar'];
  const real = await client.callTool('query_analytics', { from: '2026-03', countries: [...unseen, 'U.K.', 'Chian'] });
  for (const country of unseen) expect(real.text).toContain(`No views with the country "${country}" in this time. Seen:`);
  expect(real.text).toContain('country "U.K." is taken as "GB".');
  expect(real.text).toContain('No views with the country "Chian" in this time. Did you mean "CN"');
  const union = await client.callTool('query_analytics', { from: '2026-03', countries: ['European Union', 'EU'] });
  expect(union.text.match(/It is not a known country/g)).toHaveLength(2);
});

test('an answer distinguishes videos without views from videos that the catalogue does not know', async () => {
  const demo = await emptyService();
  const [seen, unseen] = [...demo.world.videos.values()];
  if (seen === undefined || unseen === undefined) throw new Error('there are no videos');
  demo.world.addView({ ...at('2026-03-01T12:00:00.000+00:00'), videoKey: seen.key });
  const home = freshHome();
  const file = join(home, 'videos.json');
  writeFileSync(file, JSON.stringify([seen, unseen].map(({ id, key }, index) => ({ id, key, title: `A title, number ${index}` }))));
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
  const ask = (...videoKeys: string[]) => client.callTool('query_analytics', { from: '2026-03', videoKeys });
  const strange = [...seen.key].reverse().join('');
  const october = await client.callTool('query_analytics', { from: '2026-10', videoKeys: [unseen.key, ''] });
  expect(october.text).toContain('of 1 of the 1 videos');
  expect((await ask(unseen.key)).text).toMatch(/No views in this time of 1 of the 1 videos: "\w+"\.\n/);
  expect((await ask(seen.key, strange)).text).toContain(`of the 2 videos: "${strange}". The video catalogue does not know them either`);
  const title = await ask('a title, numbr 1');
  expect(title).toMatchObject({ isError: true });
  expect(title.text).toContain(`"A title, number 1" (key ${unseen.key})`);
  const { client: without } = await start({ demo });
  const blind = await without.callTool('query_analytics', { from: '2026-03', videoKeys: ['nosuch'] });
  expect(blind.text).toContain('Whether there are such videos is not known');
});

test('months are compared with months, and weeks with weeks of the same number', async () => {
  const demo = await emptyService();
  const mondaysOfNinthWeeks = ['2025-02-24', '2026-02-23'];
  const days = ['2025-02-28', '2024-02-29', '2024-03-31', ...mondaysOfNinthWeeks];
  demo.world.addViews(days.map((day) => at(`${day}T12:00:00.000+00:00`)));
  const { client } = await start({ demo });
  const ask = async (args: Record<string, unknown>) =>
    answerIn(await client.callTool('query_analytics', { compareTo: 'previous_year', ...args }));
  expect((await ask({ from: '2025-02', to: '2025-03', groupBy: ['month'] })).rows).toEqual([
    // Of the February before, the first record is of its last day.
    ['2025-02', 2, 1, 1, null],
    // The last stored record is in February.
    ['2025-03', null, 1, null, null],
  ]);
  expect((await ask({ from: '2026-W09', groupBy: ['week'] })).rows).toEqual([['2026-W09', 1, 2, -1, 0.5]]);
  expect((await ask({ from: '2024-02', groupBy: ['day'] })).rows.at(-1)).toEqual(['2024-02-29', 1, null, null, null]);
  const before = await ask({ from: '2025-02', groupBy: ['week'], compareTo: 'previous_period' });
  expect(before.rows).toHaveLength(5);
  expect(before.totals).toEqual({ views: 2, views_before: 0, views_change: 2, views_ratio: null });
});

test('a deleted channel is still found by its key', async () => {
  const demo = await emptyService();
  demo.world.addView({ ...at('2026-10-01T12:00:00.000+00:00'), channelKey: 'GONE123' });
  const { client } = await start({ demo });
  const ask = (args: Record<string, unknown>) => client.callTool('query_analytics', { from: '2026-10', ...args });
  expect(answerIn(await ask({ groupBy: ['channel'] })).rows).toEqual([['GONE123', null, 1]]);
  expect(answerIn(await ask({ channels: ['GONE123'] })).rows).toEqual([[1]]);
  expect((await ask({ channels: ['GONE124'] })).isError).toBe(true);
});

test('if names can’t be read, keys are shown without names and a note says so', async () => {
  const demo = await startService();
  demo.faults.always({ match: { api: 'main' }, do: { kind: 'status', code: 403 } });
  const { client } = await start({ demo });
  const reply = await client.callTool('query_analytics', { from: '2026-10', groupBy: ['channel'] });
  expect(answerIn(reply).rows.length).toBeGreaterThan(3);
  expect(reply.text).toContain('Names of channels could not be read');
});

test('a question that outlasts its call returns a partial answer, says so first, and continues to read', async () => {
  const demo = await startService({ views: 3_000, now: '2026-11-01T00:00:00.000Z' });
  demo.behaviour.statsMaxSize = 100;
  // The service answers eight pages and holds the others until `letGo` is called.
  let pages = 0;
  const letGo = hold(demo, ({ api }) => api === 'stats' && ++pages > 8);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '8000' } });
  const args = { from: '2026-01-01', to: '2026-10-31' };
  // What the machine is too slow to count in the rest of the call is asked again.
  const partial = async (tool: string, more = {}): Promise<ToolReply> => {
    const reply = await client.callTool(tool, { ...args, ...more });
    return reply.isError === true && reply.text.startsWith('The query took longer') ? partial(tool, more) : reply;
  };
  const first = await partial('query_analytics', { groupBy: ['month'] });
  expect(first.text).toMatch(/^PARTIAL: \d+% of the time asked for is read, .*\n/);
  expect(first.text).toContain('ask the same again');
  expect(first.data).toMatchObject({ coverage: { complete: false } });
  // Many clients show their model only the structured answer.
  expect(first.text.split('\n')[0]).toBe(notesIn(first.data)[0]);
  const sql = await partial('run_analytics_sql', { sql: 'SELECT count(*) FROM views' });
  expect(notesIn(sql.data)[0]).toMatch(/^PARTIAL: \d+%/);
  expect(sql.text.match(/PARTIAL/g)).toHaveLength(1);
  letGo();
  const whole = [...demo.world.views.each()].filter(({ date }) => String(date) >= '2026' && String(date) < '2026-11').length;
  await expect.poll(async () => (await client.callTool('query_analytics', args)).data?.coverage).toMatchObject({ complete: true });
  expect(answerIn(await client.callTool('query_analytics', args)).totals).toEqual({ views: whole });
});

test('without an analytics address the error names the setting', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_STATS_URL: undefined } });
  for (const [tool, args] of [
    ['query_analytics', { from: 'today' }],
    ['run_analytics_sql', { from: 'today', sql: 'SELECT 1' }],
  ] as const) {
    const reply = await client.callTool(tool, args);
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('VIDEO_HOSTING_STATS_URL');
  }
  expect(demo.requests).toEqual([]);
});

test('each note is in the text once, and in the structured answer', async () => {
  const demo = await emptyService();
  demo.world.addView({ ...at('2026-03-01T12:00:00.000+00:00'), channelKey: '' });
  demo.world.addView({ ...at('2026-03-31T12:00:00.000+00:00'), channelKey: '' });
  const { client } = await start({ demo });
  const reply = await client.callTool('query_analytics', { from: '2026-03', groupBy: ['channel'], metrics: ['watch_time'] });
  const notes = ['watch_time: unit not documented.', '(none) or null as channel: the views’ own records name none.'];
  expect(otherNotesIn(reply.data)).toEqual(notes);
  for (const note of notes) expect(reply.text.split('\n').filter((line) => line === note)).toHaveLength(1);
  const sql = await client.callTool('run_analytics_sql', { from: '2026-03', sql: 'SELECT sum(watch_time) AS watch_time FROM views' });
  expect(sql.text).toContain('unit not documented');
  const none = await client.callTool('query_analytics', { from: '2026-03', groupBy: ['country'] });
  expect(notesIn(none.data)).toEqual([expect.stringMatching(/^Complete: .* are counted\. Days are in UTC\./)]);
});

test('malformed records are set aside, and the others are counted', async () => {
  const demo = await emptyService();
  demo.world.addViews(Array.from({ length: 8 }, (_, day) => at(`2026-10-1${day}T12:00:00.000+00:00`)));
  // Each of the demo's eight malformed records is sent once.
  demo.behaviour.malformedViewEvery = 1;
  const { client } = await start({ demo });
  const reply = await client.callTool('query_analytics', { from: '2026-10' });
  expect(answerIn(reply).totals).toEqual({ views: 8 });
  expect(reply.data).toMatchObject({ coverage: { complete: true, setAside: { count: 8 } } });
  expect(reply.text).toMatch(/without 8 malformed records \(id is missing; [^;]+; …\)/);
});

test.each(ERAS)('%s: with chart, one call answers and draws its rows', async (kind) => {
  const demo = await emptyService();
  demo.world.addViews(Array.from({ length: 6 }, (_, index) => at(`2026-10-0${1 + (index % 3)}T12:00:00.000+00:00`)));
  const { client } = await start({ client: kind, demo });
  const question = { from: '2026-10-01', to: '2026-10-03', groupBy: ['day'] };
  const reply = await client.callTool('query_analytics', { ...question, chart: 'bar', title: 'October' });
  expect(answerIn(reply).rows).toEqual([
    ['2026-10-01', 2],
    ['2026-10-02', 2],
    ['2026-10-03', 2],
  ]);
  expect(reply.content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(reply.text).toMatch(
    /Drawn as a bar chart of Views\. The picture \(PNG\), kept for a week: for the user, on this server’s machine, file:\/\/\S+\.png;/,
  );
  expect(reply.data?.chart).toMatch(/^Drawn as a bar chart of Views\. /);
  const two = await client.callTool('query_analytics', { ...question, metrics: ['views', 'unique_viewers'], chart: 'line' });
  expect(two.data?.chart).toMatch(/^Drawn as a line chart in 2 panels of Views, Unique viewers\. /);
  // What can’t be drawn is answered.
  const single = await client.callTool('query_analytics', { ...question, groupBy: [], title: 'October' });
  expect(answerIn(single).totals).toEqual({ views: 6 });
  expect(single.content.map(({ type }) => type)).toEqual(['text']);
  expect(single.text).toContain('No chart was drawn. report: is a single number, which needs no picture');
  const plain = await client.callTool('query_analytics', question);
  expect([plain.content.length, plain.text.includes('rawn')]).toEqual([1, false]);
});

test('videos of the catalogue without views are told where all rows are shown, and listed in one call', async () => {
  const demo = await emptyService();
  const [seen, other, never] = [...demo.world.videos.values()];
  if (seen === undefined || other === undefined || never === undefined) throw new Error('There are no videos.');
  const of = (videoKey: string) => ({ ...at('2026-10-02T12:00:00.000+00:00'), videoKey });
  demo.world.addViews([of(seen.key), of(seen.key), of(other.key)]);
  const catalogue = join(freshHome(), 'videos.csv');
  writeFileSync(catalogue, ['id,key,title', ...[seen, other, never].map(({ id, key }, index) => `${id},${key},Video ${index}`)].join('\n'));
  const { client } = await start({ demo, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const asked = { from: '2026-10', groupBy: ['video'] };
  const told = '1 of the 3 videos of the video catalogue has no views here, and no row. run_analytics_sql lists it: ';
  const reply = await client.callTool('query_analytics', asked);
  const note = notesIn(reply.data).find((text) => String(text).startsWith(told));
  const sql = String(note).slice(told.length);
  const listed = await client.callTool('run_analytics_sql', { from: '2026-10', sql });
  expect(listed.data).toMatchObject({ rows: [[never.key, 'Video 2']] });
  // Of the most watched alone nobody asks for those, and of a part of the views they would be others.
  const hasNote = async (more: object) =>
    (await client.callTool('query_analytics', { ...asked, ...more })).text.includes('has no views here');
  expect(await hasNote({ limit: 1 })).toBe(false);
  expect(await hasNote({ limit: 1, orderBy: '-views' })).toBe(false);
  expect(await hasNote({ limit: 1, orderBy: 'views' })).toBe(true);
  expect(await hasNote({ countries: ['DE'] })).toBe(false);
  expect(await hasNote({ weekdays: ['friday'] })).toBe(false);
});

test('where the disk takes nothing more, what is held is answered, and it says that no report could be kept, and where', async () => {
  const demo = await emptyService();
  demo.world.addViews([at('2026-10-01T12:00:00.000+00:00'), at('2026-10-02T12:00:00.000+00:00')]);
  const home = freshHome();
  const { client, dataDir } = await start({ demo, home });
  const first = { from: '2026-10-01', to: '2026-10-01' };
  await client.callTool('query_analytics', first);
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  // Files where there have to be folders.
  for (const name of ['reports', join('views', 'leases')]) {
    rmSync(join(dataDir, 'accounts', account, name), { recursive: true });
    writeFileSync(join(dataDir, 'accounts', account, name), '');
  }
  const held = await client.callTool('query_analytics', { ...first, chart: 'bar', groupBy: ['country'] });
  expect(held.data).toMatchObject({ rows: [['DE', 'Germany', 1]], coverage: { complete: true } });
  expect(held.data).not.toHaveProperty('report');
  const unkept = /No report could be kept: E\w+, "[^"]*reports[^"]*"\. Make room there, .* set VIDEO_HOSTING_DATA_DIR to another folder\./;
  expect(held.text).toMatch(unkept);
  expect(held.content.map(({ type }) => type)).toEqual(['text', 'image']);
  const sql = await client.callTool('run_analytics_sql', { ...first, sql: 'SELECT count(*) AS n FROM views' });
  expect(sql.data).toMatchObject({ rows: [[1]] });
  expect(sql.text).toMatch(unkept);
  const more = await client.callTool('query_analytics', { from: '2026-10-01', to: '2026-10-02' });
  expect(more.data).toMatchObject({ totals: { views: 1 }, coverage: { complete: false } });
  expect(more.text).toMatch(
    /Not read: 2026-10-02 \(nothing can be stored: E\w+, "[^"]*leases[^"]*"; make room there, or set VIDEO_HOSTING_DATA_DIR/,
  );
  // Where nothing is held there is no answer.
  const none = await client.callTool('query_analytics', { from: '2026-10-03', to: '2026-10-03' });
  expect([none.isError, none.text]).toEqual([true, expect.stringMatching(/could not be written or read \(E\w+, "[^"]*leases/)]);
});

test('views of two analytics APIs are kept apart, and what earlier versions stored is not read anew', async () => {
  const day = { from: '2026-10-01', to: '2026-10-01' };
  const [one, other] = [await emptyService(), await emptyService()];
  one.world.addView(at('2026-10-01T12:00:00.000+00:00'));
  other.world.addViews([at('2026-10-01T12:00:00.000+00:00'), at('2026-10-01T13:00:00.000+00:00')]);
  const home = freshHome();
  const viewsWith = async (statsUrl: string) => {
    const { client, stop } = await start({ demo: one, home, env: { VIDEO_HOSTING_STATS_URL: statsUrl } });
    const { totals } = answerIn(await client.callTool('query_analytics', day));
    await stop();
    return totals.views;
  };
  const asked = (demo: typeof one) => demo.requests.filter(({ api }) => api === 'stats').length;
  expect(await viewsWith(one.statsUrl)).toBe(1);
  const [account = ''] = readdirSync(join(home, 'data', 'accounts'));
  const views = join(home, 'data', 'accounts', account, 'views');
  rmSync(join(views, 'stats-address'));
  const before = asked(one);
  expect(await viewsWith(one.statsUrl)).toBe(1);
  expect(asked(one)).toBe(before);
  expect(await viewsWith(other.statsUrl)).toBe(2);
  expect(await viewsWith(one.statsUrl)).toBe(1);
  expect(asked(one)).toBe(before);
  expect(await viewsWith(`${other.statsUrl}/`)).toBe(2);
  expect(asked(other)).toBeGreaterThan(0);
});

test('what is dated in the future is set aside, and counted where its time has come', async () => {
  const now = Date.now();
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
  const demo = await emptyService();
  const datedAt = (hours: number) => at(new Date(now + hours * 3_600_000).toISOString().replace('Z', '+00:00'));
  demo.world.addViews([...[-40, -30, -1].map(datedAt), ...[0.1, 2, 30].map(datedAt)]);
  const { client } = await start({ demo });
  for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const span = { from: day(-4), to: day(3), timezone };
    const reply = await client.callTool('query_analytics', span);
    expect(answerIn(reply).totals).toEqual({ views: 3 });
    expect(reply.data).toMatchObject({
      coverage: { complete: true, records: 3, setAside: { count: 3, reasons: [{ reason: 'dated in the future', count: 3 }] } },
    });
    expect(reply.text).toContain('Set aside, as dated in the future: 3 records.');
    const byDay = answerIn(await client.callTool('query_analytics', { ...span, groupBy: ['day'] }));
    expect(byDay.rows.reduce((sum, [, views]) => sum + Number(views), 0)).toBe(3);
    const sql = await client.callTool('run_analytics_sql', { ...span, sql: 'SELECT count(*) AS n FROM views' });
    expect(sql.data).toMatchObject({ rows: [[3]], coverage: { records: 3, setAside: { count: 3 } } });
    const explained = await client.callTool('explain_change', { ...span, from: day(-1) });
    expect(explained.data).toMatchObject({ coverage: { setAside: { count: 3 } } });
  }
  const today = await client.callTool('query_analytics', { from: day(-4), to: 'now' });
  expect(today.data).toMatchObject({ totals: { views: 3 }, coverage: { records: 3 } });
  expect(today.text).not.toContain('in the future');
  const ahead = await client.callTool('query_analytics', { from: day(1), to: day(3) });
  expect(ahead.text).toContain('This time is to come: what is counted of it is dated in the future.');
});

test('of a span that is not over, what has passed is compared with as much of the time before, and it is said', async () => {
  const now = Date.now();
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
  const demo = await startService({ views: 0, now: new Date(now).toISOString() });
  const hours = Array.from({ length: 20 * 24 }, (_, hour) => new Date(now - (hour + 0.5) * 3_600_000).toISOString().replace('Z', '+00:00'));
  demo.world.addViews(hours.map((date) => at(date)));
  const { client } = await start({ demo });
  const span = { from: day(-3), to: day(3) };
  const passed = hours.filter((date) => date >= span.from).length;
  // A player with a clock that is ahead: its views are of the time asked for, but after now.
  demo.world.addViews([1, 2, 3].map((hour) => at(new Date(now + hour * 3_600_000).toISOString().replace('Z', '+00:00'))));
  const reply = await client.callTool('query_analytics', { ...span, compareTo: 'previous_period' });
  expect(answerIn(reply).totals).toMatchObject({ views: passed, views_before: passed });
  const words = /The time asked for is not over: it counts until now, [^ ]+, and so the time before until [^ ]+\./;
  expect(reply.text).toMatch(words);
  expect(reply.text).not.toMatch(/The time before is \d/);
  const explained = await client.callTool('explain_change', span);
  expect(explained.data).toMatchObject({ total: { before: passed, now: passed } });
  expect(explained.text).toMatch(words);
  const over = await client.callTool('query_analytics', { from: day(-9), to: day(-3), compareTo: 'previous_period' });
  expect(over.text).not.toContain('is not over');
});

test('wrong arguments are refused', () =>
  expectRefused('query_analytics', [
    [{}, 'from: is missing'],
    [{ from: 'soon' }, 'from: '],
    [{ from: '2026-10-02', to: '2026-10-01' }, 'to: '],
    [{ from: '2026-10-01', timezone: 'Mars' }, 'timezone: '],
    [{ from: '2026-10-01', metrics: ['likes'] }, 'metrics'],
    [{ from: '2026-10-01', groupBy: ['viewer'] }, 'groupBy'],
    [{ from: '2026-10-01', limit: 0 }, 'limit: '],
    [{ from: '2026-10-01', compareTo: 'last_year' }, 'compareTo: '],
    [{ from: '2026-10-01', orderBy: 'likes' }, 'orderBy: '],
    [{ from: '2026-10-01', weekdays: ['someday'] }, 'weekdays'],
  ]));

test('what is said of a chart names the series that it shows', async () => {
  const demo = await emptyService();
  const days = ['2026-10-01', '2026-10-02', '2026-10-03'];
  demo.world.addViews(['DE', 'FR'].flatMap((country) => days.map((day) => at(`${day}T12:00:00.000+00:00`, country))));
  const { client } = await start({ demo });
  const { data } = await client.callTool('query_analytics', {
    ...{ from: '2026-10-01', to: '2026-10-03', groupBy: ['day', 'country'] },
    chart: 'line',
  });
  expect(data?.chart).toMatch(/^Drawn as a line chart of Views, as series: "[^"]+", "[^"]+"\. /);
});
