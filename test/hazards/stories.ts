/** What an assistant does and a person decides, with every kind of answer on the way, to be played by any server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WAIT } from '../changes/proposals/harness.ts';
import { fileOf, writeApprovals } from '../changes/standing/harness.ts';
import { agreementIn, changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles, linesOf } from '../changes/support/journal-files.ts';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import type { FormHandler, TestClient, ToolReply, Values } from '../harness/client.ts';
import { withoutMarks } from '../harness/marked-command.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { type DemoService, type Environment, startService } from '../harness/service.ts';
import { freshHome, type ServerOptions, start } from '../harness/start.ts';

/** Where a story is played. */
export interface Place {
  readonly server: Pick<ServerOptions, 'via' | 'command'>;
  /** Of those that ask in no particular way. */
  readonly forms?: FormHandler;
  readonly opened?: (account: { readonly demo: DemoService; readonly home: string }) => void;
}

export type Tell = (what: string, of: unknown) => void;

export const STORIES: Readonly<Record<string, (place: Place, tell: Tell) => Promise<void>>> = {
  'changes of channels, by token': channelsByToken,
  'changes of channels that fail in part, by form': channelsByForm,
  'new records': newRecords,
  'moves and copies': movesAndCopies,
  'the approval page': onThePage,
  'changes that wait, and what was allowed in advance': waitingForPerson,
  'settings that are wrong': wrongSettings,
  'questions about views': questions,
};

const seenIn = ({ data, text, isError }: ToolReply) => ({ data, text, isError });

const CONFIRM = 'confirm_change';

/** Makes changes and tells each answer: of one that is asked for by token, the preview too. */
function teller(client: TestClient, tell: Tell) {
  const call = async (tool: string, args: Values = {}): Promise<ToolReply> => {
    const reply = await client.callTool(tool, args);
    tell(`${tool} ${tool === CONFIRM ? '' : JSON.stringify(args).slice(0, 80)}`, seenIn(reply));
    return reply;
  };
  return {
    call,
    async agreed(tool: string, args: Values): Promise<ToolReply> {
      const asked = await call(tool, args);
      return asked.data?.status === 'confirmation_required' ? call(CONFIRM, agreementIn(asked)) : asked;
    },
    async resource(uri: string) {
      tell(uri, await client.readResource(uri).catch(String));
    },
  };
}

async function account(place: Place, options: { forms?: FormHandler; env?: (demo: DemoService) => Values } = {}) {
  const demo = await startService({ channels: 6, projects: 3, videos: 60, views: 40 });
  const home = freshHome();
  const files = join(home, 'files');
  mkdirSync(files);
  const { forms = place.forms ?? 'none', env = () => ({}) } = options;
  const { client, dataDir } = await start({
    ...place.server,
    demo,
    home,
    forms,
    env: { VIDEO_HOSTING_FILES_DIR: files, ...(env(demo) as Environment) },
  }); // as given
  place.opened?.({ demo, home });
  const ids = [...demo.world.channels.keys()];
  const put = (name: string, text: string) => writeFileSync(join(files, name), text);
  return { demo, client, ids, keys: videoKeysOf(demo, 12), put, home, dataDir };
}

/** What the journal keeps of each change, and the outcome of each record; several are sent at once, in any order. */
const journal = (dataDir: string): unknown =>
  changeFiles(dataDir).map((file) =>
    linesOf(file)
      .filter(({ type }) => ['intent', 'outcome', 'end'].includes(type))
      .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1)),
  );

async function channelsByToken(place: Place, tell: Tell): Promise<void> {
  const { demo, client, ids, keys, put, dataDir } = await account(place);
  const { call, agreed, resource } = teller(client, tell);
  const grid = demo.world.templates[0]?.key;
  // What the channels hold is not known: one, several, and together with another mistake.
  await call('update_channels', { changes: [{ channel: ids[0], name: 'One' }] });
  await call('update_channels', { changes: ids.slice(0, 3).map((channel) => ({ channel, addVideoKeys: keys.slice(0, 1) })) });
  await call('update_channels', { changes: [{ channel: ids[0], name: 'One' }, { channel: 'nobody', name: '' }, { channel: ids[1] }] });
  await call('get_channel', { channel: ids[0] });
  put('lists.csv', `channel,key\n${ids[0]},${keys[0]}\n${ids[0]},${keys[1]}\n${ids[1]},${keys[0]}\n,\n${ids[1]},${keys[0]}\n`);
  await agreed('state_contents', { file: 'lists.csv' });
  await agreed('state_contents', { channels: [{ channel: ids[2], videoKeys: keys.slice(2, 6), projectKeys: [] }] });
  await call('state_contents', { channels: [{ channel: ids[2], videoKeys: keys.slice(2, 6), projectKeys: [] }] });
  const renamed = await agreed('update_channels', {
    changes: [
      { channel: ids[2], name: 'Renamed', template: grid, firstVideoKeys: keys.slice(4, 6), removeVideoKeys: keys.slice(2, 3) },
      { channel: ids[3], setVideoKeys: keys.slice(0, 2), privateLinkEnabled: true },
      { channel: ids[4], description: 'Other', currentVideoKeys: keys.slice(0, 3), setVideoKeys: [] },
    ],
  });
  await resource(`video-hosting://changes/${changeIdIn(renamed)}`);
  await call('get_change', { changeId: changeIdIn(renamed), list: 'done' });
  demo.world.editChannel(ids[4] ?? '', { description: 'By another hand' });
  const undone = await agreed('undo_change', { changeId: changeIdIn(renamed) });
  await call('undo_change', { changeId: changeIdIn(renamed) });
  await agreed('undo_change', { changeId: changeIdIn(undone), only: ['name'] });
  await call('undo_change', { changeId: 'chg-000000000-none' });
  await agreed('update_channels', {
    changes: [{ channel: ids[2], name: channelAt(demo, 1).name, setVideoKeys: keys, setProjectKeys: [] }],
  });
  demo.behaviour.channelRecordsShowContents = true;
  await agreed('update_channels', { changes: ids.map((channel) => ({ channel, privateLinkEnabled: false })) });
  await agreed('update_channels', { changes: ids.map((channel) => ({ channel, setVideoKeys: [], template: '' })) });
  await call('list_changes');
  tell('the journal', journal(dataDir));
}

async function channelsByForm(place: Place, tell: Tell): Promise<void> {
  const forms: FormHandler = (form) => {
    const { message } = form;
    void place.forms?.(form);
    // Where a row ends depends on its length, and so does what goes on in the next one.
    const rows = message.split('\n').filter((row) => !row.startsWith('  '));
    tell(
      'form',
      rows.map((row) => withoutMarks(row).slice(0, 40)),
    );
    return { action: 'accept', content: { decision: 'apply' } };
  };
  const { demo, client, ids, keys, dataDir } = await account(place, { forms });
  const { call, resource } = teller(client, tell);
  demo.behaviour.channelRecordsShowContents = true;
  const put = (at: number) => ({ method: 'PUT', path: `/v1/channels/${ids[at]}` });
  const refuse = (message: string) => ({ kind: 'status', code: 400, body: { message } }) as const;
  demo.faults.next({ match: put(0), do: refuse('Not on a Sunday.') });
  demo.faults.next({ match: put(1), do: refuse('Not on a Sunday.') });
  demo.faults.next({ match: put(2), do: refuse(`Not the key "${keys[0]}".`) });
  demo.faults.next({ match: put(3), times: 9, do: { kind: 'reset-after' } });
  const changes = ids.map((channel, at) => ({ channel, name: `Name ${at}`, setVideoKeys: keys.slice(at, at + 3) }));
  const partly = await call('update_channels', { changes });
  const changeId = changeIdIn(partly);
  await call('get_change', { changeId, list: 'failed' });
  await call('get_change', { changeId, list: 'unknown' });
  await call('resume_change', { changeId });
  await call('resume_change', { changeId, retryFailed: true });
  await call('undo_change', { changeId });
  await resource(`video-hosting://changes/${changeId}`);
  demo.faults.next({ match: { method: 'PUT' }, times: 1, do: { kind: 'status', code: 401 } });
  const stopped = await call('update_channels', { changes: [{ channel: ids[4], template: demo.world.templates[1]?.key }] });
  await call('update_channels', { changes: [{ channel: ids[5], name: 'Since' }] });
  demo.world.editChannel(ids[4] ?? '', { name: 'By another hand' });
  await call('resume_change', { changeId: changeIdIn(stopped) });
  await call('get_change', { changeId: changeIdIn(stopped) });
  await call('stop_change', { changeId: changeIdIn(stopped) });
  tell('the journal', journal(dataDir));
}

async function newRecords(place: Place, tell: Tell): Promise<void> {
  const { demo, client, ids, keys, dataDir } = await account(place);
  const { call, agreed } = teller(client, tell);
  const name = channelAt(demo, 0).name;
  await agreed('create_channels', { channels: [{ name, videoKeys: keys.slice(0, 2) }] });
  const create = { method: 'POST', path: '/v1/channels' };
  demo.faults.next({
    match: create,
    do: { kind: 'status', code: 400, body: { message: 'No such key.', invalidVideoKeys: keys.slice(0, 1) } },
  });
  demo.faults.next({ match: create, do: { kind: 'reset-after' } });
  const made = await agreed('create_channels', {
    channels: ['A', 'B', 'C'].map((each) => ({ name: each, description: 'The same', videoKeys: keys.slice(0, 2) })),
  });
  await call('get_change', { changeId: changeIdIn(made) });
  await agreed('resume_change', { changeId: changeIdIn(made) });
  await call('undo_change', { changeId: changeIdIn(made) });
  await agreed('create_project', { name: 'Fresh', region: 'nowhere' });
  await call('create_project', { name: 'Fresh', region: 'use-s', options: { none: true } });
  await call('create_channels', {
    channels: [{ name: '', videoKeys: [] }, { name: 'x'.repeat(101), videoKeys: ['a\u200bb'] }, { name: 'x' }],
  });
  await call('get_channel', { channel: `${ids[0]}?` });
  await call('get_project', { project: 'Nearly Marketing' });
  tell('the journal', journal(dataDir));
}

async function movesAndCopies(place: Place, tell: Tell): Promise<void> {
  const { demo, client, put, dataDir } = await account(place);
  const { call, agreed, resource } = teller(client, tell);
  const videos = [...demo.world.videos.keys()].slice(0, 8);
  const [from, to] = [...demo.world.projects.keys()];
  for (const id of videos) Object.assign(demo.world.videos.get(id) ?? {}, { projectId: from });
  for (const id of videos.slice(0, 2)) demo.world.poisonedVideoIds.add(id);
  put('ids.csv', `id,fromProject\n${videos.map((id) => `${id},${from}`).join('\n')}\n,\n${videos[0]},${from}\n`);
  const moved = await agreed('move_videos', { targetProject: to, videoIdsFile: 'ids.csv' });
  const changeId = changeIdIn(moved);
  await call('get_change', { changeId, list: 'failed' });
  await agreed('resume_change', { changeId });
  await agreed('resume_change', { changeId, retryFailed: true });
  await agreed('move_videos', { targetProject: from, fromProject: to, videoIds: videos.slice(4, 6) });
  await agreed('undo_change', { changeId });
  await agreed('undo_change', { changeId });
  await call('move_videos', { targetProject: to, videoIds: [videos[0], 'no id', ''] });
  await agreed('move_videos', { targetProject: to, videoIds: videos.slice(6) });
  demo.behaviour.ctaFailsAfter = 3;
  const [source, ...targets] = videos;
  const copied = await agreed('copy_cta', { sourceVideoId: source, targetVideoIds: targets, batchSize: 2 });
  await agreed('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(0, 2) });
  demo.faults.next({ match: { method: 'POST', path: /\/cta\/copy$/ }, skip: 1, times: 1, do: { kind: 'reset-after' } });
  const doubtful = await agreed('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(2) });
  await call('resume_change', { changeId: changeIdIn(doubtful) });
  await call('resume_change', { changeId: changeIdIn(copied), retryFailed: true });
  await call('undo_change', { changeId: changeIdIn(copied) });
  await resource(`video-hosting://changes/${changeId}`);
  await call('list_changes');
  tell('the journal', journal(dataDir));
}

async function onThePage(place: Place, tell: Tell): Promise<void> {
  const browser = createTestBrowser();
  const { demo, client, ids, keys } = await account(place, { env: () => ({ ...browser.env, VIDEO_HOSTING_CONFIRM: 'page' }) });
  const { call } = teller(client, tell);
  demo.behaviour.channelRecordsShowContents = true;
  const changing = call('update_channels', {
    changes: ids.map((channel, at) => ({
      channel,
      name: `Name ${at}`,
      removeVideoKeys: channelAt(demo, at).videoKeys.slice(0, 1),
      privateLinkEnabled: true,
    })),
  });
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  if (change === undefined) throw new Error('Nothing waits.');
  tell('the change that waits', change);
  const first = { method: 'PUT', path: `/v1/channels/${ids[0]}` };
  demo.faults.next({ match: first, do: { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } } });
  await page.decide(change, 'apply', 'Go on.');
  await changing;
  tell('the change in the journal', await page.change(change.changeId));
  demo.behaviour.channelRecordsShowContents = false;
  const statement = await page.post(`api/channels/${ids[0]}/statement`, { videoKeys: keys });
  tell('a statement of the page', [statement.status, JSON.parse(statement.text)]);
  tell('the history', await page.changes());
  tell('channels', (await page.get('api/channels')).text);
  tell('a channel', (await page.get(`api/channels/${ids[0]}`)).text);
  const paste = (text: string, more: Values = {}) => page.post('api/videos/read', { text, name: 'paste', ...more });
  for (const text of [
    '',
    `${keys[0]}, ${keys[1]}`,
    '[{"a":1}]',
    '{"videoKeys":',
    'key,title\n1E+10,x\n',
    `${keys[0]}\n${keys[0]}\nnot a key\n`,
  ])
    tell(`pasted ${text}`, JSON.parse((await paste(text)).text));
  const wrong = await page.post(`api/channels/${ids[0]}/statement`, { videoKeys: 1 });
  tell('a wrong request', [wrong.status, wrong.text]);
}

/** Of the channels and projects of an account. */
const allowedIn = ({ world }: DemoService): Values =>
  fileOf([
    { kind: 'add_videos', channels: [{ id: [...world.channels.keys()][0] }], perDay: 1 },
    { kind: 'move_videos', to: [{ id: [...world.projects.keys()][1] }], perDay: 2 },
  ]);

async function waitingForPerson(place: Place, tell: Tell): Promise<void> {
  const env = (of: DemoService) => ({ ...WAIT, VIDEO_HOSTING_STANDING_APPROVALS: writeApprovals(allowedIn(of)) });
  const { demo, client, ids, keys, home, dataDir } = await account(place, { env });
  const { call } = teller(client, tell);
  demo.behaviour.channelRecordsShowContents = true;
  const [from, to] = [...demo.world.projects.keys()];
  const videoIds = [...demo.world.videos.keys()].slice(0, 5);
  for (const id of videoIds) Object.assign(demo.world.videos.get(id) ?? {}, { projectId: from });
  const others = keys.filter((key) => !channelAt(demo, 0).videoKeys.includes(key));
  const add = (count: number) => call('update_channels', { changes: [{ channel: ids[0], addVideoKeys: others.slice(0, count) }] });
  await add(1);
  await add(2);
  await add(2);
  await call('update_channels', { changes: [{ channel: ids[0], name: 'Older' }] });
  const lost = { channel: ids[1], removeVideoKeys: channelAt(demo, 1).videoKeys.slice(0, 2) };
  await call('update_channels', { changes: [lost, { channel: ids[2], name: 'Renamed' }] });
  await call('move_videos', { targetProject: to, fromProject: from, videoIds: videoIds.slice(0, 2) });
  await call('move_videos', { targetProject: to, videoIds });
  const project = await call('create_project', { name: 'Fresh', region: 'use-s' });
  await call('stop_change', { changeId: changeIdIn(project) });
  await call('get_collected_emails', { exportAs: 'csv' });
  const browser = createTestBrowser();
  const person = await start({ ...place.server, demo, home, env: browser.env });
  await person.client.callTool('show_to_user', { what: 'changes' });
  const page = await enterPage(await browser.opened());
  const waiting = await page.waiting();
  demo.world.editChannel(ids[2] ?? '', { description: 'By another hand' });
  for (const [index, change] of waiting.entries()) {
    tell('a change that waits', change);
    tell('decided', await page.decide(change, index % 2 === 0 ? 'apply' : 'decline', 'Not this one.'));
    await call('get_change', { changeId: change.changeId, waitSeconds: 30 });
  }
  await call('move_videos', { targetProject: to, videoIds });
  await call('list_changes');
  tell('the history', await page.changes());
  tell('the approvals', (await page.get('api/approvals')).text);
  tell('the journal', journal(dataDir));
}

async function wrongSettings(place: Place, tell: Tell): Promise<void> {
  const told = async (name: string, env: Values, demo: DemoService | null) => {
    const { client } = await start({ ...place.server, demo, env: env as Environment }); // as given
    tell(name, seenIn(await client.callTool('check_setup')));
    tell(`${name}: a call`, seenIn(await client.callTool('list_channels')));
  };
  const demo = await startService({ channels: 2 });
  await told('a variable is mistyped and another malformed', { VIDEO_HOSTING_READONLY: '1', VIDEO_HOSTING_BASE_URL: 'ftp://here' }, null);
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'status', code: 401 } });
  await told('the service refuses', {}, demo);
}

async function questions(place: Place, tell: Tell): Promise<void> {
  const { demo, client } = await account(place);
  const { call } = teller(client, tell);
  const span = { from: '2024-01-01' };
  await call('query_analytics', { ...span, groupBy: ['device_type'], metrics: ['views', 'play_rate', 'avg_watch_time'] });
  await call('query_analytics', { ...span, groupBy: ['country'], videoKeys: ['nobody'], orderBy: 'nothing' });
  await call('query_analytics', { ...span, size: 1, limit: 0, timezone: 'Berlin', weekdays: ['Mond'] });
  demo.faults.always({ match: { method: 'POST' }, do: { kind: 'status', code: 503 } });
  await call('query_analytics', { from: '2023-01-01', to: '2023-01-03' });
}
