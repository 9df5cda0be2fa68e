/** Counts of collected emails, by group and filter; what asks for an export. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordsIn, type Values } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { type Email, emailsOf, groupsBy, groupsIn, peopleIn, serviceWith, tracesOf } from '../../hazards/emails-support.ts';
import { expectRefused } from './support.ts';

const TOOL = 'get_collected_emails';
const inYear = (back: number) => new Date().getUTCFullYear() - back;
const dayOf = ({ created }: Email) => new Date(created).toISOString().slice(0, 10);

const KEYS: Readonly<Record<string, (email: Email) => string | null>> = {
  video: ({ videoKey }) => videoKey || null,
  channel: ({ channelKey }) => channelKey || null,
  day: dayOf,
  month: (email) => dayOf(email).slice(0, 7),
};

test('counts emails, by each key that they have', async () => {
  const { client, demo, output, hasData } = await start();
  const emails = emailsOf(demo);
  expect(emails.length).toBeGreaterThan(2_000);
  const total = { records: emails.length, people: peopleIn(emails) };
  expect((await client.callTool(TOOL)).data?.total).toEqual(total);
  for (const [groupBy, keyOf] of Object.entries(KEYS)) {
    const { data } = await client.callTool(TOOL, { groupBy });
    expect(data?.total).toEqual(total);
    const groups = recordsIn(data, 'groups');
    const left = /^The last (\d+) of/.exec(String(data?.omitted ?? 'The last 0 of'))?.[1];
    const expected = groupsBy(emails, keyOf);
    expect(groups.length + Number(left)).toBe(expected.size);
    for (const [key, counts] of groupsIn(groups)) expect(expected.get(key === null ? null : String(key))).toEqual(counts);
  }
  const wrote = output();
  for (const trace of tracesOf(emails)) expect(wrote).not.toContain(trace);
  expect(hasData()).toBe(false);
});

test('an answer about channels says how many records name no channel', async () => {
  const { client, demo } = await start();
  for (const [index, email] of emailsOf(demo).entries()) if (index % 9 === 0) Object.assign(email, { channelKey: '' });
  const without = emailsOf(demo).filter(({ channelKey }) => !channelKey).length;
  const channel = [...demo.world.channels.values()][0]?.id;
  expect(without).toBeGreaterThan(0);
  for (const args of [{ groupBy: 'channel' }, { channel }])
    expect((await client.callTool(TOOL, args)).data?.note).toBe(`${without} records name no channel, so where they belong is not known.`);
  expect((await client.callTool(TOOL, { groupBy: 'month' })).data).not.toHaveProperty('note');
});

test('sorts days and months by time with unknown last, and channels by records', async () => {
  const times = ['2026-10-03', '2026-09-30', '2026-10-01', '2026-10-03', 'soon', '2026-10-02'];
  const emails = times.map((created, at) => ({ email: 'x@example.com', channelKey: `c${Math.min(at, 3)}`, created }));
  const { client } = await start({ demo: await serviceWith(emails) });
  const keysBy = async (groupBy: string) => recordsIn((await client.callTool(TOOL, { groupBy })).data, 'groups').map(({ key }) => key);
  expect(await keysBy('day')).toEqual(['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03', null]);
  expect(await keysBy('month')).toEqual(['2026-09', '2026-10', null]);
  expect(await keysBy('channel')).toEqual(['c3', 'c0', 'c1', 'c2']);
});

test('shows channel names and catalogue titles, and finds a video by its title', async () => {
  const home = freshHome();
  const demo = await startService();
  const [first] = demo.world.emails;
  writeFileSync(`${home}/catalogue.csv`, `key,title\n${first?.videoKey},A title\n`);
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: `${home}/catalogue.csv` } });
  const channels = recordsIn((await client.callTool(TOOL, { groupBy: 'channel' })).data, 'groups');
  const named = new Map([...demo.world.channels.values()].map(({ key, name }) => [key, name]));
  for (const { key, name } of channels) expect(name).toBe(typeof key === 'string' ? named.get(key) : undefined);
  const videos = recordsIn((await client.callTool(TOOL, { groupBy: 'video' })).data, 'groups');
  expect(videos.find(({ key }) => key === first?.videoKey)?.name).toBe('A title');
  const byTitle = await client.callTool(TOOL, { videoKey: 'A title' });
  expect(byTitle.data?.total).toMatchObject({ records: emailsOf(demo).filter(({ videoKey }) => videoKey === first?.videoKey).length });
});

describe('a filter', () => {
  const spans: readonly (readonly [Values, (email: Email) => boolean])[] = [
    [{ from: '2026-05' }, ({ created }) => created.startsWith('2026-05')],
    [{ from: '2026-05-01' }, ({ created }) => Date.parse(created) >= Date.UTC(2026, 4, 1)],
    [{ to: '2026-05-01' }, ({ created }) => Date.parse(created) < Date.UTC(2026, 4, 2)],
    [
      { from: '2026-05-01', to: '2026-05-31' },
      ({ created }) => Date.parse(created) >= Date.UTC(2026, 4, 1) && Date.parse(created) < Date.UTC(2026, 5, 1),
    ],
    [
      { from: '2026-05-01T12:00:00+02:00', to: '2026-05-20T00:00:00Z' },
      ({ created }) => Date.parse(created) >= Date.UTC(2026, 4, 1, 10) && Date.parse(created) < Date.UTC(2026, 4, 20),
    ],
  ];

  test('by time counts the matching records', async () => {
    const { client, demo } = await start();
    for (const [args, isMeant] of spans) {
      const emails = emailsOf(demo).filter(isMeant);
      expect(emails.length).toBeGreaterThan(50);
      expect((await client.callTool(TOOL, args)).data?.total, JSON.stringify(args)).toEqual({
        records: emails.length,
        people: peopleIn(emails),
      });
    }
  });

  test('by video and channel counts the matching records, for any reference to the channel', async () => {
    const { client, demo } = await start();
    const sample = emailsOf(demo).find(({ channelKey }) => channelKey !== '');
    const channel = [...demo.world.channels.values()].find(({ key }) => key === sample?.channelKey);
    const emails = emailsOf(demo).filter(({ channelKey }) => channelKey === channel?.key);
    for (const reference of [channel?.id, channel?.key, channel?.name])
      expect((await client.callTool(TOOL, { channel: reference })).data?.total).toMatchObject({ records: emails.length });
    const both = emails.filter(({ videoKey }) => videoKey === sample?.videoKey);
    const reply = await client.callTool(TOOL, { channel: channel?.id, videoKey: sample?.videoKey });
    expect(reply.data?.total).toEqual({ records: both.length, people: peopleIn(both) });
  });

  test('by a channel without a key is refused, since it would match all emails', async () => {
    const { client, demo } = await start();
    const [channel] = demo.world.channels.values();
    const body = { ...channel, key: null };
    demo.faults.always({ match: { path: `/v1/channels/${channel?.id}` }, do: { kind: 'status', code: 200, body } });
    const reply = await client.callTool(TOOL, { channel: channel?.id });
    expect(demo.requests.map(({ path }) => path)).not.toContain('/v1/videos/collected-emails');
    expect(reply.text).toContain('does not tell the key');
  });

  test('that is wrong is refused before any request', async () => {
    const { client, demo } = await start();
    for (const [args, words] of [
      [{ from: '2026-02-30' }, 'from'],
      [{ from: 'last mnth' }, 'Did you mean "last month"?'],
      [{ from: 'somewhen' }, 'from'],
      [{ from: '2026-05-01T12:00:00' }, 'from'],
      [{ from: '2026-05-02', to: '2026-05-01' }, 'to: is not after from'],
      [{ groupBy: 'person' }, 'groupBy'],
      [{ groupBy: 'email' }, 'groupBy'],
      [{ exportAs: 'csv', showRecords: true }, 'showRecords'],
      [{ exportAs: 'xlsx' }, 'exportAs'],
    ] as const)
      expect(await client.callTool(TOOL, args), JSON.stringify(args)).toMatchObject({
        isError: true,
        text: expect.stringContaining(words),
      });
    expect(demo.requests).toEqual([]);
  });
});

test('emails before the last year, which the service does not list, are not known and not none', async () => {
  const { client, demo } = await start({ demo: await startService({ now: new Date().toISOString() }), forms: 'accept' });
  expect(demo.world.emails.length).toBeGreaterThan(0);
  const gone = await client.callTool(TOOL, { from: `${inYear(3)}-01-01`, to: `${inYear(3)}-12-31` });
  expect(gone.data).not.toHaveProperty('total');
  expect(gone.text).toContain('How many there were is not known.');
  // No day of it is counted.
  expect(gone.data).not.toHaveProperty('period');

  for (const span of [{ from: `${inYear(2)}-01-01` }, { to: `${inYear(0)}-12-31` }]) {
    const cut = await client.callTool(TOOL, span);
    expect(cut.data?.total).toMatchObject({ records: expect.any(Number) });
    expect(cut.text).toMatch(/of which the service lists only the last year, since \d{4}-\d\d-\d\d: earlier emails are not known/);
  }
  const recent = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  for (const span of [{}, { from: recent }]) expect((await client.callTool(TOOL, span)).text).not.toContain('not known');
});

test('what asks for the confirmation of an export stands in sentences, as of any change', async () => {
  const home = freshHome();
  const { client } = await start({ home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_FILES_DIR: home } });
  const { text } = await client.callTool(TOOL, { exportAs: 'csv' });
  expect(text).toMatch(/^NOT DONE YET\. Show the user the preview\. Only if they agree/m);
  expect(text).toMatch(/^ {2}! This is personal data of viewers\.\n {2}Into the folder/m);
});

describe('an export', () => {
  const emails = [
    { email: 'ada@one.example', fullName: 'Ada', mobileNumber: '+49', created: '2026-10-02T00:00:00Z', channelKey: '' },
    { email: 'bob@two.example', fullName: '=Bob', mobileNumber: '+49', created: '2026-10-03T00:00:00Z' },
    { email: 'eve@two.example', fullName: 'Eve', mobileNumber: '+49', created: 'soon' },
  ];

  test.each([
    ['csv', '\ufeffcreated,email\n2026-10-02T00:00:00Z,ada@one.example\n2026-10-03T00:00:00Z,bob@two.example\n'],
    [
      'json',
      '[\n{"created":"2026-10-02T00:00:00Z","email":"ada@one.example"},\n{"created":"2026-10-03T00:00:00Z","email":"bob@two.example"}\n]\n',
    ],
  ])('has the asked fields alone, in their order, and the person is told which (%s)', async (exportAs, expected) => {
    const home = freshHome();
    const demo = await serviceWith(emails);
    const { client } = await start({ home, demo, forms: 'accept', env: { VIDEO_HOSTING_FILES_DIR: home } });
    const { data } = await client.callTool(TOOL, { exportAs, fields: ['created', 'email', 'created'], from: '2026-10-01' });
    expect(readFileSync(String(data?.path), 'utf8')).toBe(expected);
    expect(JSON.stringify(client.forms)).toContain(`to a ${exportAs.toUpperCase()} file, of each only created and email`);
    expect(data).toMatchObject({ status: 'applied', written: 2, columns: ['created', 'email'] });
    expect(data?.meaning).toBe('The file has these columns whole, with nothing masked, for people; this answer has none of it.');
    // The name that begins as a formula is not in it.
    expect(data).not.toHaveProperty('note');
  });

  test('says what it holds: by which filter, of which time, and what could not be judged', async () => {
    const home = freshHome();
    const demo = await serviceWith(emails);
    const [channel] = demo.world.channels.values();
    for (const email of emailsOf(demo).slice(1)) Object.assign(email, { channelKey: channel?.key });
    const { client } = await start({ home, demo, forms: 'accept', env: { VIDEO_HOSTING_FILES_DIR: home } });
    const filter = { from: '2026-10-01', to: '2026-10-31', channel: channel?.id };
    const counted = await client.callTool(TOOL, filter);
    expect(counted.data).toMatchObject({
      total: { records: 1 },
      period: { from: '2026-10-01' },
      filter: expect.stringContaining('channel'),
    });
    const { data, text } = await client.callTool(TOOL, { ...filter, exportAs: 'json' });
    expect(data).toMatchObject({ written: 1, period: counted.data?.period, filter: counted.data?.filter });
    for (const words of ['1 record tells no time, so it is left out.', '1 record names no channel, so where they belong is not known.']) {
      expect(counted.text).toContain(words);
      expect(text).toContain(words);
    }
  });
});

test('what needs a setting, or names no channel, is refused', () =>
  expectRefused('get_collected_emails', [
    [{ channel: 'Onbording' }, '"Onboarding" ('],
    [{ exportAs: 'csv' }, 'VIDEO_HOSTING_FILES_DIR'],
    [{ fields: ['email'] }, 'fields: are those of a file: give exportAs too.'],
    [{ fields: ['email'], showRecords: true }, 'fields: are those of a file'],
    [{ fields: [], exportAs: 'csv' }, 'fields'],
    [{ fields: ['ip'], exportAs: 'csv' }, 'fields'],
    [{ showRecords: true }, 'VIDEO_HOSTING_PERSONAL_DATA'],
  ]));
