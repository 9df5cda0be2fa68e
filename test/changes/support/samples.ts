/**
 * For every tool that changes the account, a call that would change something. A test that walks the list of tools takes
 * them from here and fails for a tool without one, so that a new tool can't be left out.
 */
import { listing } from '../../../src/mcp/listing.ts';
import { CLIENT_KINDS, type ClientKind, type Values } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { agree, changeIdIn } from './confirm.ts';
import { channelAt, videoKeysOf } from './world.ts';

export interface Sample {
  readonly args: Values;
  /** The same with one argument changed; it too would change something. */
  readonly other: Values;
  /** Somebody else changes what the call depends on. All of `DEPENDENT_TOOLS` have it. */
  readonly disturb?: Disturbance;
}

interface Disturbance {
  readonly act: () => void | Promise<void>;
  /** What the answer of the call then says. */
  readonly answer: string;
}

export const CHANGE_TOOLS: readonly string[] = listing().changes;

/** Those whose plan depends on the account. A copy goes to the videos that its call names. */
export const DEPENDENT_TOOLS = CHANGE_TOOLS.filter((tool) => tool !== 'copy_cta');

/** Two kinds of clients for each tool that changes the account; all kinds occur. Every change takes the same way through the guard. */
export const clientKindsFor = (tool: string): readonly ClientKind[] => {
  const first = 2 * CHANGE_TOOLS.indexOf(tool);
  return [first, first + 1].flatMap((at) => CLIENT_KINDS[at % CLIENT_KINDS.length] ?? []);
};

type Make = (demo: DemoService, home: string) => Sample | Promise<Sample>;

const SAMPLES: Readonly<Record<string, Make>> = {
  create_channels(demo) {
    const videoKeys = videoKeysOf(demo, 3);
    return {
      args: { channels: [{ name: 'Brand new', videoKeys }] },
      other: { channels: [{ name: 'Brand new', videoKeys: videoKeys.slice(1) }] },
      disturb: {
        act: () => void demo.world.addChannel({ name: 'Brand new' }),
        answer: 'There is already a channel called "Brand new"',
      },
    };
  },
  create_project: (demo) => ({
    args: { name: 'Brand new', region: 'use-s' },
    other: { name: 'Brand new', region: 'usw-s' },
    disturb: {
      act: () => void demo.world.addProject({ name: 'Brand new' }),
      answer: 'There is already a project called "Brand new"',
    },
  }),
  update_channels(demo) {
    const { id } = channelAt(demo, 0);
    const change = { channel: id, name: 'Renamed', setVideoKeys: videoKeysOf(demo, 2) };
    return {
      args: { changes: [change] },
      other: { changes: [{ ...change, name: 'Renamed otherwise' }] },
      disturb: {
        act: () => void demo.world.editChannel(id, { videoKeys: videoKeysOf(demo, 4) }),
        answer: 'was changed meanwhile: version',
      },
    };
  },
  async undo_change(demo, home) {
    const first = await changed(demo, home, 1);
    const second = await changed(demo, home, 2);
    return {
      args: { changeId: first },
      other: { changeId: second },
      disturb: {
        act: () => void demo.world.editChannel(channelAt(demo, 1).id, { description: 'changed elsewhere' }),
        answer: 'It was changed since on ',
      },
    };
  },
  move_videos(demo) {
    const videoIds = [...demo.world.videos.keys()].slice(0, 5);
    const [, first, second] = [...demo.world.projects.values()];
    return {
      args: { videoIds, targetProject: first?.id },
      other: { videoIds, targetProject: second?.id },
      disturb: {
        act: () => void Object.assign(first ?? {}, { name: 'Renamed elsewhere' }),
        answer: 'Move 5 videos into "Renamed elsewhere"',
      },
    };
  },
  copy_cta(demo) {
    const [sourceVideoId, ...rest] = [...demo.world.videos.keys()];
    return { args: { sourceVideoId, targetVideoIds: rest.slice(0, 3) }, other: { sourceVideoId, targetVideoIds: rest.slice(1, 3) } };
  },
  async resume_change(demo, home) {
    const args = { changeId: await stuckMove(demo, home, 0) };
    return {
      args,
      other: { changeId: await stuckMove(demo, home, 5) },
      disturb: {
        async act() {
          const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
          await client.callTool('resume_change', args);
          await stop();
        },
        answer: `Nothing of ${args.changeId} is left to be sent.`,
      },
    };
  },
};

export const SAMPLED_TOOLS: ReadonlySet<string> = new Set(Object.keys(SAMPLES));

/** A move of which nothing was done, by its id. */
async function stuckMove(demo: DemoService, home: string, from: number): Promise<string> {
  demo.faults.always({ match: { method: 'POST', path: '/v1/videos/change-project' }, do: { kind: 'status', code: 401 } });
  const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const videoIds = [...demo.world.videos.keys()].slice(from, from + 5);
  const reply = await client.callTool('move_videos', { videoIds, targetProject: [...demo.world.projects.values()][1]?.id });
  await stop();
  demo.faults.clear();
  return changeIdIn(reply);
}

/** A change that was carried out, by its id. */
async function changed(demo: DemoService, home: string, at: number): Promise<string> {
  demo.behaviour.channelRecordsShowContents = true;
  const { client, stop } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const reply = await agree(client, 'update_channels', { changes: [{ channel: channelAt(demo, at).id, name: `Changed ${at}` }] });
  await stop();
  return changeIdIn(reply);
}

export async function sampleOf(tool: string, demo: DemoService, home: string): Promise<Sample> {
  const make = SAMPLES[tool];
  if (make === undefined)
    throw new Error(
      `There is no call of ${tool} in SAMPLES of test/changes/support/samples.ts: add one, so that the guard's tests cover it.`,
    );
  return make(demo, home);
}
