/** Each field of the file bites: with one of them changed, the built server asks what it did unasked before. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { dayIn } from '../../../src/changes/standing/days.ts';
import { type RuleKind, StandingFileSchema } from '../../../src/changes/standing/rules.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { freshHome } from '../../harness/start.ts';
import { changeIdIn } from '../support/confirm.ts';
import { contentOf, videoKeysOf, writesOf } from '../support/world.ts';
import { AGENT, standingIn, withChannels, writeApprovals } from './harness.ts';

/** It ends tomorrow where the day begins last; where it begins first, tomorrow has come. */
const LATE = 'Pacific/Pago_Pago';
const EARLY = 'Pacific/Kiritimati';
const tomorrow = (): string => dayIn(LATE, new Date(Date.now() + 86_400_000));

const REVOKED = 'revoked-before';
const MANY_A_DAY = 10_000;

type Session = Awaited<ReturnType<typeof withChannels>>;

/** What each kind of rule allows, by its fields but for the limits, and something of two units that it covers. */
interface Kind {
  readonly rule: Values;
  readonly deed: () => Promise<ToolReply>;
}

let session: Session;
let kinds: Record<RuleKind, Kind>;
let list: string;
let used = 0;
let named = 0;

/** Two videos that nothing was done to. */
function fresh(): readonly string[] {
  used += 2;
  return session.ids.slice(used - 2, used);
}

/** A server of an agent with two channels that both are known, and many videos. */
async function open(): Promise<void> {
  [used, named] = [0, 0];
  session = await withChannels(() => [{ kind: 'undo_own', perDay: 1 }], { videos: 400, via: 'process' });
  const { demo, client, archive, elsewhere, one, other, ids } = session;
  list = join(freshHome(), 'ids.txt');
  writeFileSync(list, ids.join('\n'), { mode: 0o600 });
  writeFileSync(join(session.dataDir, 'revoked-approvals.jsonl'), `{"approval":"${REVOKED}"}\n`);
  const channels = [one, other].map(({ id, name }) => ({ id, name }));
  const [source] = ids.slice(-1);
  const update = (change: (id: string) => Values) =>
    client.callTool('update_channels', { changes: [one, other].map(({ id }) => ({ channel: id, ...change(id) })) });
  const keys = videoKeysOf(demo, 300, 10);
  const add = () => update(() => ({ addVideoKeys: [keys.pop()] }));
  kinds = {
    move_videos: {
      rule: { to: [{ id: archive, name: 'Archive' }], onlyIdsIn: list },
      deed: () => client.callTool('move_videos', { videoIds: fresh(), targetProject: archive, fromProject: elsewhere }),
    },
    add_videos: { rule: { channels }, deed: add },
    reorder_videos: { rule: { channels }, deed: () => update((id) => ({ firstVideoKeys: contentOf(demo, id).videoKeys.slice(-1) })) },
    change_texts: { rule: { channels, fields: ['name', 'name'] }, deed: () => update(renamed) },
    copy_cta: {
      rule: { from: [{ id: source, name: 'Source' }] },
      deed: () => client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: fresh() }),
    },
    undo_own: {
      rule: {},
      deed: async () => {
        const current = writtenFile;
        write(fileOf('add_videos'));
        const own = [changeIdIn(await add()), changeIdIn(await add())];
        write(current);
        return client.callTool('undo_change', { changeIds: own });
      },
    },
  };
}

function renamed(id: string): Values {
  named += 1;
  return { name: `${id} ${named}` };
}

let writtenFile: Values = {};

function write(file: Values): void {
  writtenFile = file;
  writeApprovals(file, dirname(session.path));
}

function fileOf(kind: RuleKind, { file = {}, approval = {}, rule = {} }: Change = {}): Values {
  return {
    ...{ version: 1, timeZone: LATE },
    approvals: [
      {
        ...{ id: 'all-fields', for: AGENT, until: tomorrow(), note: 'Approved by Ana' },
        allow: [{ kind, ...kinds[kind].rule, perChange: 50, perDay: MANY_A_DAY, total: MANY_A_DAY, ...rule }],
        ...approval,
      },
    ],
    ...file,
  };
}

/** What stands in the file in place of what would cover it. */
interface Change {
  readonly file?: Values;
  readonly approval?: Values;
  readonly rule?: Values;
}

/** A field changed so that nothing is covered, with what is said then; or so that it makes no difference. */
type Case = readonly [change: () => Change, why: RegExp | 'no difference'];

const FILE_CASES: Readonly<Record<string, Case>> = {
  $schema: [() => ({ file: { $schema: 'https://example.com/another.json' } }), 'no difference'],
  version: [() => ({ file: { version: 2 } }), /Line 2, version/],
  timeZone: [() => ({ file: { timeZone: EARLY } }), /all-fields ended on/],
  'approvals.id': [() => ({ approval: { id: REVOKED } }), /was revoked/],
  'approvals.for': [() => ({ approval: { for: 'weekly' } }), /counts now: all-fields is for weekly/],
  'approvals.until': [() => ({ approval: { until: dayIn(LATE, new Date()) } }), /all-fields ended on/],
  'approvals.note': [() => ({ approval: { note: 'Ana approved all of it.' } }), 'no difference'],
};

const NOTHING_OF_IT = /^No standing approval covers /;
const OTHER = [{ id: 'another', name: 'Archive' }];
const RENAMED = (field: string, kind: RuleKind) => (): Change => ({
  rule: { [field]: (kinds[kind].rule[field] as readonly Values[]).map(({ id }) => ({ id, name: 'Another name' })) },
});

const LIMIT_CASES: Readonly<Record<string, Case>> = {
  perChange: [() => ({ rule: { perChange: 1 } }), /^2 are 1 over the 1 in one change of all-fields/],
  perDay: [() => ({ rule: { perDay: 1 } }), /over today’s 1 of all-fields/],
  total: [() => ({ rule: { total: 1 } }), /over the 1 in all of all-fields/],
};

const refCases = (kind: RuleKind, field: string): Readonly<Record<string, Case>> => ({
  [`${field}.id`]: [() => ({ rule: { [field]: OTHER } }), NOTHING_OF_IT],
  [`${field}.name`]: [RENAMED(field, kind), 'no difference'],
});

/** For each kind, each of its fields. Another kind with the same fields is in its place. */
const RULE_CASES: Readonly<Record<RuleKind, Readonly<Record<string, Case>>>> = {
  move_videos: {
    kind: [() => ({ rule: { kind: 'copy_cta', to: undefined, onlyIdsIn: undefined, from: OTHER } }), NOTHING_OF_IT],
    ...refCases('move_videos', 'to'),
    onlyIdsIn: [
      () => {
        const shorter = join(freshHome(), 'ids.txt');
        writeFileSync(shorter, `${session.ids[used]}\nanother`, { mode: 0o600 });
        return { rule: { onlyIdsIn: shorter } };
      },
      /of 1 of its videos: they are in no list/,
    ],
  },
  add_videos: { kind: [() => ({ rule: { kind: 'reorder_videos' } }), NOTHING_OF_IT], ...refCases('add_videos', 'channels') },
  reorder_videos: { kind: [() => ({ rule: { kind: 'add_videos' } }), NOTHING_OF_IT], ...refCases('reorder_videos', 'channels') },
  change_texts: {
    kind: [() => ({ rule: { kind: 'add_videos', fields: undefined } }), NOTHING_OF_IT],
    ...refCases('change_texts', 'channels'),
    fields: [() => ({ rule: { fields: ['description'] } }), NOTHING_OF_IT],
  },
  copy_cta: {
    kind: [() => ({ rule: { kind: 'move_videos', from: undefined, to: OTHER } }), NOTHING_OF_IT],
    ...refCases('copy_cta', 'from'),
  },
  undo_own: { kind: [() => ({ rule: { kind: 'copy_cta', from: OTHER } }), NOTHING_OF_IT] },
};

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly oneOf?: readonly Described[];
  readonly const?: unknown;
}

/** The fields of the schema at whose end a value stands, with dots; those of rules are left out. */
function leaves(described: Described, path: string): string[] {
  if (described.items !== undefined) return leaves(described.items, path);
  if (described.oneOf !== undefined) return [];
  if (described.properties === undefined) return [path];
  return Object.entries(described.properties).flatMap(([name, field]) => leaves(field, path === '' ? name : `${path}.${name}`));
}

const SCHEMA = z.toJSONSchema(StandingFileSchema, { io: 'input', unrepresentable: 'any' }) as Described; // as z describes it
const RULES = SCHEMA.properties?.approvals?.items?.properties?.allow?.items?.oneOf ?? [];

test('each field of the schema has a case', () => {
  expect(leaves(SCHEMA, '').toSorted()).toEqual(Object.keys(FILE_CASES).toSorted());
  const cases = Object.entries(RULE_CASES).map(([kind, own]) => [kind, Object.keys({ ...own, ...LIMIT_CASES }).toSorted()]);
  expect(RULES.map((rule) => [rule.properties?.kind?.const, leaves(rule, '').toSorted()])).toEqual(cases);
});

test.each(Object.keys(RULE_CASES) as RuleKind[])(
  'each field of a rule for %s, and of the file round it, changes what is covered',
  async (kind) => {
    await open();
    const { demo } = session;
    for (const [field, [change, why]] of Object.entries({ ...FILE_CASES, ...LIMIT_CASES, ...RULE_CASES[kind] })) {
      write(fileOf(kind));
      const covered = await kinds[kind].deed();
      expect(covered.data, field).toMatchObject({ status: 'applied', confirmed: expect.stringContaining(`${kind}: 2;`) });
      write(fileOf(kind, change()));
      const sent = writesOf(demo).length;
      const { data, ...reply } = await kinds[kind].deed();
      // Of an undo, what is to be undone was sent.
      const prepared = kind === 'undo_own' ? 4 : 0;
      if (why === 'no difference') expect([field, data?.status]).toEqual([field, 'applied']);
      else {
        expect([field, writesOf(demo).length - sent]).toEqual([field, prepared]);
        expect([field, data?.status]).toEqual([field, 'confirmation_required']);
        expect(standingIn({ ...reply, data }), field).toMatch(why);
      }
    }
  },
);
