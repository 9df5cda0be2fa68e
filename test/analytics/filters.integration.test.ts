/** Filters with several values, and an answer’s notes about its rows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Values } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

const emptyService = () => startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
const DATE = '2026-10-05T10:00:00.000+00:00';
/** A view from a country, and from a city where it is given. */
const from = (country: string, city = '') => ({ date: DATE, geo: { ip: '', city, country, continent: 'EU' } });
function firstOf<T>(records: ReadonlyMap<string, T>): readonly [T, T, T] {
  const [one, two, three] = records.values();
  if (one === undefined || two === undefined || three === undefined) throw new Error('The account is too small.');
  return [one, two, three];
}
const notesOf = (data: Record<string, unknown> | undefined): string => (Array.isArray(data?.notes) ? data.notes.join('\n') : '');

async function asking(demo: DemoService, env: Record<string, string> = {}) {
  const { client } = await start({ demo, env });
  return async (args: Values) => {
    const reply = await client.callTool('query_analytics', { from: '2026-10', ...args });
    return { ...answerIn(reply), filters: reply.data?.filters, notes: notesOf(reply.data) };
  };
}

test('a filter takes all spellings of a value that the log has, whichever is asked for, and says so', async () => {
  const demo = await emptyService();
  const countries = ['DE', 'DE', 'de', 'De', 'Germany', 'FR', ''];
  const browser = (index: number) => ({ family: index % 2 === 0 ? 'Chrome' : 'chrome', major: 1, minor: 0 });
  demo.world.addViews(countries.map((country, index) => ({ ...from(country), browser: browser(index) })));
  const ask = await asking(demo);
  for (const country of ['DE', 'de', 'Germany', 'Allemagne']) {
    const { totals, notes } = await ask({ countries: [country] });
    expect({ country, totals }).toEqual({ country, totals: { views: 5 } });
    expect(notes).toMatch(new RegExp(`country "${country}" is taken as (?=.*"DE")(?=.*"de")(?=.*"De")(?=.*"Germany")`));
  }
  const { totals, notes } = await ask({ browsers: ['chrome'] });
  expect(totals).toEqual({ views: 7 });
  expect(notes).toContain('browser "chrome" is taken as "chrome", "Chrome".');
  expect((await ask({ countries: ['FR'] })).notes).not.toContain('is taken as');
  expect((await ask({ countries: ['fr', ''], groupBy: ['country'] })).rows).toEqual([
    ['FR', 'France', 1],
    [null, null, 1],
  ]);
});

test('a key that is no word is in quotation marks where the filters are named', async () => {
  const ask = await asking(await emptyService());
  const { filters } = await ask({ videoKeys: ['NOT_YET:ask_again,(none)', 'key-1'] });
  expect(filters).toEqual(['videoKeys "NOT_YET:ask_again,(none)", key-1']);
});

test('several channels are one filter, by id, key or name, and a viewer of two channels counts once', async () => {
  const demo = await emptyService();
  const [one, two, three] = firstOf(demo.world.channels);
  const [project] = firstOf(demo.world.projects);
  const view = (channelKey: string, viewerId: string) => ({ date: DATE, channelKey, viewerId, projectKey: project.key });
  demo.world.addViews([view(one.key, 'a'), view(one.key, 'b'), view(two.key, 'b'), view(two.key, 'c'), view(three.key, 'd')]);
  const ask = await asking(demo);
  const metrics = ['views', 'unique_viewers'];
  const both = await ask({ channels: [one.id, two.name], metrics });
  const same = await ask({ channels: [one.key, two.key, one.id], projects: [project.name], metrics });
  for (const { totals } of [both, same]) expect(totals).toEqual({ views: 4, unique_viewers: 3 });
  const rows = await ask({ channels: [one.key, two.key], metrics, groupBy: ['channel'] });
  expect(rows.notes).toContain('The total of unique_viewers is no sum of the rows');
  expect(both.notes).not.toContain('is no sum');
});

test('values that begin with ! are left out, of any filter, and what names none stays', async () => {
  const demo = await emptyService();
  const [one, two] = firstOf(demo.world.channels);
  const view = (country: string, channelKey: string) => ({ ...from(country), channelKey });
  demo.world.addViews([view('DE', one.key), view('de', one.key), view('FR', two.key), view('', '')]);
  const ask = await asking(demo);
  const germany = await ask({ countries: ['!Germany'], groupBy: ['country'] });
  expect(germany.rows.map(([country]) => country)).toEqual(['FR', null]);
  expect(germany.filters).toEqual(['countries without "DE", "de"']);
  expect(germany.notes).toContain('country "Germany" is taken as "DE", "de".');
  expect((await ask({ countries: ['!'] })).totals).toEqual({ views: 3 });
  expect((await ask({ countries: ['!', '!FR'] })).totals).toEqual({ views: 2 });
  expect((await ask({ channels: [`!${one.name}`] })).totals).toEqual({ views: 2 });
  expect((await ask({ channels: [`!${one.name}`, `!${two.key}`], countries: ['FR', ''] })).totals).toEqual({ views: 1 });
});

test('(none) means the records that name none, and !(none) all others, in every filter by text or key', async () => {
  const demo = await emptyService();
  const [[channel], [project], [video]] = [firstOf(demo.world.channels), firstOf(demo.world.projects), firstOf(demo.world.videos)];
  const full = {
    channelKey: channel.key,
    projectKey: project.key,
    videoKey: video.key,
    ...from('DE'),
    browser: { family: 'Chrome', major: 1, minor: 0 },
    os: { family: 'Linux', major: 1 },
    device: { family: '', type: 'desktop' },
    embed: { url: 'https://www.example.com/', domain: 'www.example.com', type: 1 },
  };
  const bare = {
    ...{ ...from(''), channelKey: '', projectKey: '', videoKey: '', browser: { family: '', major: 1, minor: 0 } },
    ...{ os: { family: '', major: 1 }, device: { family: '', type: '' }, embed: { url: '', domain: '', type: 1 } },
  };
  demo.world.addViews([full, full, bare]);
  const ask = await asking(demo);
  const arguments_ = {
    channels: channel.key,
    projects: project.name,
    videoKeys: video.key,
    countries: 'DE',
    browsers: 'Chrome',
    operatingSystems: 'Linux',
    deviceTypes: 'desktop',
    embedDomains: 'www.example.com',
  };
  for (const [argument, value] of Object.entries(arguments_)) {
    const views = async (...values: string[]) => (await ask({ [argument]: values })).totals?.views;
    const counts = [await views('(none)'), await views('!(none)'), await views('(none)', value), await views('!(none)', `!${value}`)];
    expect([argument, ...counts]).toEqual([argument, 1, 2, 3, 0]);
  }
  const { filters } = await ask({ channels: ['!(none)'], countries: ['(none)'] });
  expect(filters).toEqual(['channels without (none)', 'countries (none)']);
});

test('days of the week that begin with ! are left out, of the numbers and of the rows', async () => {
  const demo = await emptyService();
  // From a Thursday to a Wednesday.
  const dates = ['01', '02', '03', '04', '05', '06', '07'];
  demo.world.addViews(dates.map((day) => ({ date: `2026-10-${day}T10:00:00.000+00:00` })));
  const ask = await asking(demo);
  const { rows, totals, filters } = await ask({ to: '2026-10-07', weekdays: ['!saturday', '!Sunday'], groupBy: ['day'] });
  expect(rows.map(([day]) => day)).toEqual(['01', '02', '05', '06', '07'].map((day) => `2026-10-${day}`));
  expect({ totals, filters }).toEqual({ totals: { views: 5 }, filters: ['weekdays without saturday, Sunday'] });
  expect((await ask({ to: '2026-10-07', weekdays: ['saturday', 'Sunday'] })).totals).toEqual({ views: 2 });
});

test('a week of which only days are left out that don’t count is not said to be counted in part', async () => {
  const demo = await emptyService();
  demo.world.addViews(['01', '30'].map((day) => ({ date: `2026-10-${day}T10:00:00.000+00:00` })));
  const ask = await asking(demo);
  const asked = { to: '2026-10-31', groupBy: ['week'], metrics: ['views'] };
  const cut = 'Counted in part, as the time begins or ends within: ';
  expect((await ask({ ...asked, weekdays: ['!saturday', '!sunday'] })).notes).toContain(`${cut}2026-W40.`);
  expect((await ask(asked)).notes).toContain(`${cut}2026-W40, 2026-W44.`);
});

test('all wrong names in a list are reported at once', async () => {
  const demo = await emptyService();
  const [channel] = [...demo.world.channels.values()];
  const { client } = await start({ demo });
  const channels = [channel?.name, 'Onbording', 'nope'];
  const reply = await client.callTool('query_analytics', { from: '2026-10', channels, projects: ['no such'] });
  expect(reply.isError).toBe(true);
  const nearest = 'channels[1]: No channel has the id, key or exact name "Onbording". The nearest: "Onboarding"';
  for (const words of [nearest, 'channels[2]: ', 'projects[0]: ']) expect(reply.text).toContain(words);
  expect(reply.text).not.toContain('channels[0]');
  const old = await client.callTool('query_analytics', { from: '2026-10', channel: 'Onboarding' });
  expect(old.text).toContain('channel: there is no such argument. Did you mean channels?');
});

test('notes say how much of the whole the rows have that are shown, the others, and (none), and which rows left out tie with the last', async () => {
  const demo = await emptyService();
  demo.world.addViews(['a', 'a', 'a', 'b', 'b', 'c', 'd', '', '', '', ''].map((city) => from('DE', city)));
  const ask = await asking(demo);
  const question = { groupBy: ['city'], metrics: ['views', 'share'], orderBy: '-views' };
  const top = await ask({ ...question, limit: 2 });
  expect(top.rows).toEqual([
    [null, 4, 0.363636],
    ['a', 3, 0.272727],
  ]);
  expect(top.notes).toContain('Of 11 views: these rows 7 (63.6 %), of which (none) 4 (36.4 %); 3 others 4 (36.4 %).');
  expect((await ask({ ...question, limit: 4 })).notes).toContain('A tie at the cut: row 5, left out, has the same views as row 4 (1).');
  expect(top.notes).not.toContain('tie');
  const last = await ask({ ...question, limit: 2, orderBy: 'city' });
  expect(last.notes).toMatch(/Of 11 views: these rows \d+ .*; 3 others /);
  expect((await ask(question)).notes).not.toContain('these rows');
  expect((await ask({ ...question, limit: 2, countries: ['!DE'] })).notes).not.toContain('these rows');
});

test('a chart of the first rows draws those of the answer, (none) among them', async () => {
  const demo = await emptyService();
  demo.world.addViews(['Aachen', 'Aachen', 'Berlin', '', '', ''].map((city) => from('DE', city)));
  const { client } = await start({ demo });
  const { data } = await client.callTool('query_analytics', { from: '2026-10', groupBy: ['city'], limit: 2 });
  const { text } = await client.callTool('draw_chart', { report: String(data?.report), kind: 'bar' });
  expect(text).toContain('the first 2 of 3 rows');
  expect(text).toContain('Highest: 3 ("(none)"). Lowest: 2 ("Aachen").');
  expect(text).not.toContain('Berlin');
});

test('a comparison lists the largest changes first, up or down, unless orderBy is given', async () => {
  const demo = await emptyService();
  const views = (country: string, september: number, october: number) => [
    ...Array.from({ length: september }, () => ({ ...from(country), date: '2026-09-01T10:00:00.000+00:00' })),
    ...Array.from({ length: october }, () => from(country)),
  ];
  demo.world.addViews([...views('DE', 9, 9), ...views('FR', 6, 1), ...views('US', 1, 4), ...views('JP', 0, 1)]);
  const ask = await asking(demo);
  const changed = await ask({ groupBy: ['country'], compareTo: 'previous_period' });
  expect(changed.rows.map(([country, , , , change]) => [country, change])).toEqual([
    ['FR', -5],
    ['US', 3],
    ['JP', 1],
    ['DE', 0],
  ]);
  expect(changed.notes).toContain('What changed most comes first, up or down (views_change)');
  const byRatio = await ask({ groupBy: ['country'], compareTo: 'previous_period', orderBy: '-views_ratio' });
  expect(byRatio.rows.map(([country]) => country)).toEqual(['US', 'DE', 'FR', 'JP']);
  expect(byRatio.notes).not.toContain('What changed most');
  const { rows } = await ask({ groupBy: ['country'], compareTo: 'previous_period', orderBy: 'country' });
  expect(rows.map(([country]) => country)).toEqual(['DE', 'FR', 'JP', 'US']);
  // A sixth, to six decimals.
  expect(changed.rows[0]?.[5]).toBe(0.166667);
});

test('names of hosts are one whatever their case, in groups, filters and addresses', async () => {
  const demo = await emptyService();
  const embed = (url: string, domain: string) => ({ date: DATE, embed: { url, domain, type: 1 } });
  demo.world.addViews([
    embed('https://www.example.com/Page', 'www.example.com'),
    embed('HTTPS://WWW.Example.COM/Page', 'WWW.Example.COM'),
    embed('https://Other.example/', 'Other.example'),
  ]);
  const ask = await asking(demo);
  expect((await ask({ groupBy: ['embed_domain'] })).rows).toEqual([
    ['www.example.com', 2],
    ['other.example', 1],
  ]);
  expect((await ask({ groupBy: ['embed_url'] })).rows).toEqual([
    ['https://www.example.com/Page', 2],
    ['https://other.example/', 1],
  ]);
  for (const embedDomains of [['WWW.example.com'], ['!OTHER.Example']]) {
    const { totals, notes } = await ask({ embedDomains });
    expect(totals).toEqual({ views: 2 });
    expect(notes).not.toContain('is taken as');
  }
  expect((await ask({ embedDomains: ['Nowhere.EXAMPLE'] })).notes).toContain('No views with the embed domain "nowhere.example"');
});

test('combinations without views have no row, and a note says so; times alone have rows of zeros', async () => {
  const demo = await emptyService();
  const view = (day: string, country: string) => ({ ...from(country), date: `2026-10-${day}T10:00:00.000+00:00` });
  demo.world.addViews([view('01', 'DE'), view('02', 'FR'), view('31', 'DE')]);
  const ask = await asking(demo);
  const mixed = await ask({ groupBy: ['day', 'country'] });
  expect(mixed.rows).toEqual([
    ['2026-10-01', 'DE', 'Germany', 1],
    ['2026-10-02', 'FR', 'France', 1],
    ['2026-10-31', 'DE', 'Germany', 1],
  ]);
  expect(mixed.notes).toContain('Combinations without views have no row');
  const pure = await ask({ groupBy: ['day'] });
  expect(pure.rows).toHaveLength(31);
  expect(pure.notes).not.toContain('have no row');
});

test('an answer says that it is complete, and why titles are missing', async () => {
  const demo = await emptyService();
  const [known, unknown] = firstOf(demo.world.videos);
  demo.world.addViews([known, unknown].map(({ key }) => ({ date: DATE, videoKey: key })));
  const without = await (await asking(demo))({ groupBy: ['video'] });
  expect(without.notes).toMatch(/^Complete: all views that the service has are counted;/);
  expect(without.notes).toContain('no video catalogue is set (VIDEO_HOSTING_VIDEO_CATALOGUE)');
  const file = join(freshHome(), 'videos.json');
  writeFileSync(file, JSON.stringify([{ id: known.id, key: known.key, title: 'Known' }]));
  const some = await (await asking(demo, { VIDEO_HOSTING_VIDEO_CATALOGUE: file }))({ groupBy: ['video'] });
  expect(some.notes).toContain('1 of the videos have no title here: the video catalogue does not have them.');
  expect(some.notes).not.toContain('no video catalogue is set');
});

test('of videos in rows of the catalogue that can’t be used, nothing says that it does not have them', async () => {
  const demo = await emptyService();
  const [known, aside, none] = firstOf(demo.world.videos);
  demo.world.addViews([known, aside].map(({ key }) => ({ date: DATE, videoKey: key })));
  const file = join(freshHome(), 'videos.csv');
  const rows = [`${known.id},${known.key},Known`, `${aside.id},${aside.key},Aside`, `${aside.id},elsewhere,Known`];
  const others = [...demo.world.videos.values()].slice(3).map(({ id, key }, at) => `${id},${key},Other ${at}`);
  writeFileSync(file, ['id,key,title', ...rows, ...others].join('\n'));
  const ask = await asking(demo, { VIDEO_HOSTING_VIDEO_CATALOGUE: file });
  const why = 'no row of the video catalogue that can be used has them. 2 rows can’t be used (line 4 pairs the id';
  expect((await ask({ groupBy: ['video'] })).notes).toContain(`1 of the videos have no title here: ${why}`);
  const { notes } = await ask({ videoKeys: [known.key, none.key] });
  expect(notes).toContain('No usable row of the video catalogue has them either. 2 rows can’t be used');
  expect(notes).not.toContain('perhaps no such video exists');
  for (const title of ['Known', '!Known'])
    await expect(ask({ videoKeys: [title] })).rejects.toThrow('a row of the catalogue that can’t be used may have the title "Known" too');
});
