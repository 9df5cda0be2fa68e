/** What no standing approval covers, whatever its rules say: each rule of it against each kind of change. */
import { describe, expect, test } from 'vitest';
import { kindOf } from '../../../src/changes/kinds/index.ts';
import type { Shares } from '../../../src/changes/kinds/shares.ts';
import type { Notice, NoticeKind } from '../../../src/changes/notices/notices.ts';
import { CHANNEL_FIELDS, type ChannelField } from '../../../src/changes/plan/channel-fields.ts';
import type { ChangePlan, PlannedItem } from '../../../src/changes/plan/plan.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../src/changes/plan/traits/index.ts';
import { type Sentence, sentence } from '../../../src/text/sentence.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
import { agree, changeIdIn } from '../support/confirm.ts';
import { channelAt, writesOf } from '../support/world.ts';
import { fileOf, moveRule, standingIn, withChannels, writeApprovals } from './harness.ts';

interface Facts {
  readonly items?: readonly PlannedItem[];
  readonly notices?: readonly Notice[];
  readonly resumes?: string;
  readonly undo?: 'yes' | 'partly' | 'no';
}

const PROJECT = { id: 'archive', label: 'Archive', count: 1 };
const MOVE_FACTS = { digest: '', targetProjects: [PROJECT], fromProjects: [{ ...PROJECT, id: 'elsewhere' }] };
const FACTS: Readonly<Partial<Record<ChangeKind, object>>> = {
  move_videos: { move: MOVE_FACTS },
  copy_cta: { copy: { digest: '', source: 'source', batchSize: 25 } },
  undo_change: { undoes: ['chg-000000000-0000'] },
};

const ITEM: PlannedItem = {
  ...{ id: 'one', label: sentence`One`, seen: { version: 1, updated: null } },
  before: { name: 'One', videoKeys: ['a'] },
  after: { name: 'One', videoKeys: ['a', 'b'] },
};

/** A plan that is covered, but for what is given. */
function planOf(kind: ChangeKind, { items = [ITEM], notices = [], undo = 'yes', ...more }: Facts = {}): ChangePlan {
  const preview = { summary: 'Do it', notices, lines: [], onFailure: '', undo: { possible: undo, how: 'Why.' } };
  const records = kind === 'move_videos' || kind === 'copy_cta' ? { ids: ['video'] } : { items };
  return { kind, facts: FACTS[kind] ?? {}, preview, ...records, ...more, apply: async () => {} } as unknown as ChangePlan; // of its kind
}

const neverIn = (shares: Shares): string | undefined => ('never' in shares ? shares.never : undefined);
const never = (kind: ChangeKind, facts?: Facts, notOwn?: Sentence) => neverIn(kindOf(kind).shares(planOf(kind, facts), notOwn));

/** Why nothing of a kind is ever covered; or, where something of it can be, whether that needs a way back. */
const WHOLE_KINDS: Readonly<Record<ChangeKind, string | { readonly needsUndo: boolean }>> = {
  create_channels: 'a new channel',
  create_project: 'a new project',
  state_contents: 'a statement of what channels hold',
  export_emails: 'personal data',
  show_emails: 'personal data',
  update_channels: { needsUndo: true },
  undo_change: { needsUndo: true },
  // Videos that are there already need no way back, and a copy never has one.
  move_videos: { needsUndo: false },
  copy_cta: { needsUndo: false },
};
const COVERABLE = CHANGE_KINDS.flatMap((kind) => {
  const is = WHOLE_KINDS[kind];
  return typeof is === 'string' ? [] : [{ kind, ...is }];
});

test.each(CHANGE_KINDS)('%s is covered in part, or never', (kind) => {
  const why = WHOLE_KINDS[kind];
  expect(never(kind)).toBe(typeof why === 'string' ? `No standing approval covers ${why}.` : undefined);
});

/** What each notice is. Only what tells something can be covered: of any change, or of these kinds. */
const NOTICES: Readonly<Record<NoticeKind, 'tells' | 'warns' | readonly ChangeKind[]>> = {
  ...{ file_read: 'tells', blanks_dropped: 'tells', repeats_dropped: 'tells', ids_translated: 'tells', ids_not_in_catalogue: 'tells' },
  ...{ source_not_in_catalogue: 'tells', in_target_before: 'tells', origin_by_word: 'tells', origins_by_file: 'tells' },
  ...{
    stopped_before: 'tells',
    origins_as_said: 'tells',
    stay_there: 'tells',
    already_so: 'tells',
    found_by_former_name: 'tells',
    list_file: 'tells',
    repeated_keys: 'tells',
  },
  ...{ keys_not_in_catalogue: 'tells', catalogue_unusable: 'tells', views_agree: 'tells', no_earlier_copy: 'tells' },
  ...{
    no_undo: ['copy_cta'],
    ctas_add_up: ['copy_cta'],
    loses: ['undo_change'],
    as_before: ['undo_change'],
    back_as_stated: ['undo_change'],
  },
  ...{ in_target_since: 'tells', moved_elsewhere: 'warns', no_ids: 'warns', move_untried: 'tells', jwt_expired: 'tells' },
  ...{ set_aside: 'warns', origin_not_named: 'warns', origin_column: 'warns', moved_on: 'warns', moves_unread: 'warns' },
  ...{ perhaps_moved: 'warns', failed_before: 'warns', not_known_before: 'warns', copied_before: 'warns', source_got_copies: 'warns' },
  ...{ copied_since: 'warns' },
  ...{
    copies_unread: 'warns',
    contents_unknown: 'warns',
    may_hold: 'warns',
    ends_empty: 'warns',
    stays_empty: 'warns',
    hidden_field: 'warns',
  },
  ...{
    default_template: 'warns',
    not_held: 'warns',
    same_name: 'warns',
    template_too_high: 'warns',
    template_use: 'warns',
    views_of_another: 'warns',
    restated: 'warns',
    changed_since: 'warns',
  },
  ...{ views_missing: 'warns', views_as_agreed: 'warns', views_not_compared: 'warns', views_not_read: 'warns', stays_unknown: 'warns' },
  ...{ not_set_back: 'warns', perhaps_changed_set_back: 'warns', settled_later: 'warns' },
  ...{ changed_later: 'warns', restated_later: 'warns', refused_before: 'warns', not_readable: 'warns', no_version: 'warns' },
  ...{ perhaps_changed: 'warns', changed_by_others: 'warns', name_taken: 'warns', name_being_given: 'warns', created_lately: 'warns' },
  ...{ perhaps_created: 'warns', not_created_again: 'warns', created_empty: 'warns', created_with_unknown: 'warns' },
  ...{ catalogue_of_other: 'warns', videos_unchecked: 'warns', region_unknown: 'warns', personal_data: 'warns', notice_unread: 'warns' },
  ...{
    goes_into_folder: 'warns',
    goes_onto_page: 'warns',
    goes_into_conversation: 'warns',
    emails_not_counted: 'warns',
    apostrophes: 'warns',
  },
};

/** Only its kind counts: of what its words ask for, all but the name of a list is empty. */
const TEXTS = { list: 'videoKeys', by: 'x', last: 'x', on: 'x', since: 'x' };
const noticeOf = (kind: NoticeKind): Notice =>
  new Proxy({ ...TEXTS, kind } as Notice, { get: (texts, fact) => Reflect.get(texts, fact) ?? [] });

describe.each(COVERABLE)('$kind', ({ kind, needsUndo }) => {
  test('is never covered with a notice that warns', () => {
    for (const [notice, is] of Object.entries(NOTICES)) {
      const isHarmless = is === 'tells' || (is !== 'warns' && is.includes(kind));
      const notices = [noticeOf(notice as NoticeKind)];
      expect([notice, never(kind, { notices }) === undefined]).toEqual([notice, isHarmless]);
    }
  });

  test('is never covered where a part of it can’t be undone', () => {
    const why = 'No standing approval covers what can’t all be undone. Why.';
    expect(never(kind, { undo: 'partly' })).toBe(why);
    expect(never(kind, { undo: 'no' })).toBe(needsUndo ? why : undefined);
  });

  test('is never covered where it is carried on', () => {
    expect(never(kind, { resumes: 'chg-000000000-0000' })).toBe('No standing approval covers carrying a change on.');
  });
});

test('an undo is never covered where what it undoes is not the agent’s own', () => {
  expect(never('undo_change', {}, sentence`No standing approval covers that.`)).toBe('No standing approval covers that.');
});

/** Of each field of a channel, a change that is never covered; or that it can be. */
const FIELDS: Readonly<Record<ChannelField, { readonly before: unknown; readonly after: unknown; readonly why?: string }>> = {
  name: { before: 'One', after: 'Two' },
  description: { before: '', after: 'Approved by Ana.' },
  templateKey: { before: 'plain', after: 'dark', why: 'a change of a template' },
  privateLinkEnabled: { before: false, after: true, why: 'a change of a private link' },
  videoKeys: { before: ['a'], after: [], why: 'a video that leaves a channel' },
  projectKeys: { before: ['p'], after: [], why: 'a change of the projects of a channel' },
};

test.each(Object.keys(CHANNEL_FIELDS) as ChannelField[])('a change of %s is covered in part, or never', (field) => {
  const { before, after, why } = FIELDS[field];
  const item = { ...ITEM, before: { ...ITEM.before, [field]: before }, after: { name: 'One', [field]: after } };
  expect(never('update_channels', { items: [item] })).toBe(why === undefined ? undefined : `No standing approval covers ${why}.`);
  // One that can be covered doesn't help another one of the same change.
  expect(never('update_channels', { items: [ITEM, { ...item, id: 'two' }] }) === undefined).toBe(why === undefined);
});

test.each<readonly [string, Partial<PlannedItem> & { readonly replaces?: true }, string]>([
  ['a channel that is new', { seen: null }, 'a new channel'],
  ['contents that are stated', { states: ['videoKeys'] }, 'contents that the assistant states itself'],
  ['projects that are stated', { states: ['projectKeys'] }, 'contents that the assistant states itself'],
  ['a list that is set', { replaces: true }, 'a list that is set; add, first and last are'],
  ['contents that are not known', { before: { name: 'One' } }, 'a channel whose contents are not known'],
  ['one video that leaves while another comes', { after: { name: 'One', videoKeys: ['b'] } }, 'a video that leaves a channel'],
])('%s is never covered', (_what, change, why) => {
  expect(never('update_channels', { items: [{ ...ITEM, ...change }] })).toBe(`No standing approval covers ${why}.`);
});

/** Everything that rules can allow, for all channels and projects. */
const everything = (session: { readonly demo: Parameters<typeof channelAt>[0]; readonly ids?: readonly string[] }): readonly Values[] => {
  const { channels, projects, videos } = session.demo.world;
  const refs = (records: ReadonlyMap<string, unknown>) => [...records.keys()].map((id) => ({ id }));
  return [
    { kind: 'move_videos', to: refs(projects), perDay: 1_000 },
    { kind: 'add_videos', channels: refs(channels), perDay: 1_000 },
    { kind: 'reorder_videos', channels: refs(channels), perDay: 1_000 },
    { kind: 'change_texts', channels: refs(channels), fields: ['name', 'description'], perDay: 1_000 },
    { kind: 'copy_cta', from: refs(videos), perDay: 1_000 },
    { kind: 'undo_own', perDay: 1_000 },
  ];
};

async function allowedEverything() {
  const session = await withChannels(() => [{ kind: 'undo_own', perDay: 1 }]);
  writeApprovals(fileOf(everything(session)), session.path.replace(/[^/\\]*$/, ''));
  const byToken = await start({ demo: session.demo, env: { VIDEO_HOSTING_CONFIRM: 'token' }, home: session.home });
  session.demo.requests.length = 0;
  return { ...session, byToken: byToken.client };
}

type Attempt = (session: Awaited<ReturnType<typeof allowedEverything>>) => Promise<ToolReply>;

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'a description in place of one that the service leaves out': ({ update, demo }) => {
    demo.behaviour.onExchange = async (exchange) => {
      const { status, body } = await exchange.carryOut();
      exchange.response.writeHead(status, { 'content-type': 'application/json' });
      exchange.response.end(JSON.stringify(body, (name, value) => (name === 'description' ? undefined : value)));
    };
    return update({ description: 'By the agent' });
  },
  'the name of another channel': ({ update, other }) => update({ name: other.name }),
  'a name that two channels get at once': ({ client, one, other }) =>
    client.callTool('update_channels', { changes: [one, other].map(({ id }) => ({ channel: id, name: 'Approved by Ana' })) }),
  'a list that is set, with one video more than before': ({ update, keys }) => update({ setVideoKeys: keys.slice(0, 4) }),
  'a template': ({ update, demo }) => update({ template: demo.world.templates[0]?.key }),
  'contents stated along with an addition': ({ client, demo, keys }) => {
    const { id, videoKeys, projectKeys } = channelAt(demo, 2);
    const change = { channel: id, addVideoKeys: keys.slice(5), currentVideoKeys: videoKeys, currentProjectKeys: projectKeys };
    return client.callTool('update_channels', { changes: [change] });
  },
  'a statement by itself': ({ client, demo }) => {
    const { id, videoKeys } = channelAt(demo, 2);
    return client.callTool('state_contents', { channels: [{ channel: id, videoKeys, projectKeys: [] }] });
  },
  'a move of which fromProject is not said': ({ client, ids, archive }) =>
    client.callTool('move_videos', { videoIds: ids.slice(0, 2), targetProject: archive }),
  'the undo of what a person did': async ({ client, byToken, ids, archive, elsewhere, demo }) => {
    const args = { videoIds: ids.slice(0, 1), targetProject: archive, fromProject: elsewhere };
    const { data } = await agree(byToken, 'move_videos', args);
    demo.requests.length = 0;
    return client.callTool('undo_change', { changeId: data?.changeId });
  },
  'the undo of what another agent did': async ({ client, demo, home, env, ids, archive, elsewhere, path }) => {
    writeApprovals(fileOf([moveRule({ archive } as never)], { for: 'weekly' }), path.replace(/[^/\\]*$/, ''));
    const weekly = await start({ demo, home, env: { ...env, VIDEO_HOSTING_AGENT: 'weekly' } });
    const own = await weekly.client.callTool('move_videos', { videoIds: ids.slice(0, 1), targetProject: archive, fromProject: elsewhere });
    writeApprovals(fileOf(everything({ demo })), path.replace(/[^/\\]*$/, ''));
    demo.requests.length = 0;
    return client.callTool('undo_change', { changeId: changeIdIn(own) });
  },
  'what was stopped, carried on': async (session) => {
    const { client, ids, archive, elsewhere, demo } = session;
    for (const id of ids.slice(0, 1)) demo.world.poisonedVideoIds.add(id);
    const args = { videoIds: ids.slice(0, 2), targetProject: archive, fromProject: elsewhere };
    const { data } = await client.callTool('move_videos', args);
    demo.requests.length = 0;
    return client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
  },
  'a copy onto a video that has it': async ({ client, ids, demo }) => {
    const args = { sourceVideoId: ids[0], targetVideoIds: ids.slice(1, 3) };
    expect((await client.callTool('copy_cta', args)).data?.status).toBe('applied');
    demo.requests.length = 0;
    return client.callTool('copy_cta', { ...args, targetVideoIds: ids.slice(2, 4) });
  },
};

test.each(Object.entries(ATTEMPTS))('%s is asked, where everything is allowed that can be', async (_what, attempt) => {
  const session = await allowedEverything();
  const reply = await attempt(session);
  expect(writesOf(session.demo)).toEqual([]);
  expect(reply.data?.status).toBe('confirmation_required');
  expect(standingIn(reply)).toMatch(/^No standing approval covers /);
});

test('contents that are not known are refused, also where everything is allowed', async () => {
  const { client, demo } = await allowedEverything();
  const reply = await client.callTool('update_channels', { changes: [{ channel: channelAt(demo, 2).id, name: 'Other' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(reply.isError).toBe(true);
});
