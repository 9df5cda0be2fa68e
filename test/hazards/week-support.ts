/**
 * A week of two people’s assistants and somebody in the dashboard, who edit the same few channels: a script that is drawn once, and carried out
 * with whatever servers the assistants have. What every channel must hold is kept beside the service, from what was approved and what the
 * dashboard did alone.
 */
import { expect } from 'vitest';
import { createRandom } from '../../src/demo/random.ts';
import { contentOf, videoKeysOf, writesOf } from '../changes/support/world.ts';
import type { ToolReply, Values } from '../harness/client.ts';
import type { DemoService } from '../harness/service.ts';

export const CHANNELS = 5;
const VIDEOS = 30;

type Who = 0 | 1;
type Verb = 'add' | 'remove' | 'first' | 'set' | 'describe';

interface Edit {
  readonly by: Who;
  readonly channel: number;
  readonly verb: Verb;
  /** Videos, by number. */
  readonly picks: readonly number[];
  readonly decision: 'apply' | 'decline' | 'withdraw';
}

/** What happens one after another. */
export type Step =
  | { readonly kind: 'dashboard'; readonly channel: number; readonly picks: readonly number[]; readonly isRename: boolean }
  | { readonly kind: 'edit'; readonly edit: Edit; readonly meanwhile?: Extract<Step, { kind: 'dashboard' }> }
  /** Both ask about one channel before anybody decides; the decisions come one after the other, or at one moment. */
  | { readonly kind: 'both'; readonly edits: readonly [Edit, Edit]; readonly isAtOnce: boolean };

export function drawWeek(seed: number, edits: number): readonly Step[] {
  const random = createRandom(seed);
  const picks = (): number[] => Array.from({ length: 1 + random.int(3) }, () => random.int(VIDEOS));
  const verbs: readonly Verb[] = ['add', 'add', 'remove', 'first', 'set', 'describe'];
  const decisions = ['apply', 'apply', 'apply', 'apply', 'apply', 'apply', 'decline', 'withdraw'] as const;
  const editOf = (by: Who, channel = random.int(CHANNELS)): Edit => ({
    ...{ by, channel, verb: random.pick(verbs), picks: picks(), decision: random.pick(decisions) },
  });
  const dashboard = (channel = random.int(CHANNELS)) =>
    ({ kind: 'dashboard', channel, picks: picks(), isRename: random.chance(0.3) }) as const;
  const who = (): Who => (random.chance(0.5) ? 0 : 1);
  const steps: Step[] = [];
  for (let drawn = 0; drawn < edits; ) {
    if (random.chance(0.12)) {
      steps.push(dashboard());
      continue;
    }
    const edit = editOf(who());
    if (random.chance(0.2)) {
      steps.push({ kind: 'both', edits: [edit, editOf(edit.by === 0 ? 1 : 0, edit.channel)], isAtOnce: random.chance(0.5) });
      drawn += 2;
      continue;
    }
    steps.push({ kind: 'edit', edit, ...(random.chance(0.1) ? { meanwhile: dashboard(edit.channel) } : {}) });
    drawn += 1;
  }
  return steps;
}

/** What a person’s assistant can do, and the person who decides on what it asked for. */
export interface Desk {
  call(tool: string, args: Values): Promise<ToolReply>;
  /** The person looks at what is to be done, something happens, and they say yes to what they saw. True where it began. */
  approve(asked: ToolReply, between: () => Promise<void> | void): Promise<boolean>;
  decline(asked: ToolReply): Promise<void>;
  withdraw(asked: ToolReply): Promise<void>;
  /** Once what was approved has ended. */
  ended(asked: ToolReply): Promise<string>;
}

export interface Tally {
  asked: number;
  applied: number;
  /** Approved as it was shown, and not sent, since the channel was another by then. */
  overtaken: number;
  /** Of two that were approved at one moment, both were sent: the later one as if the earlier one had not been. */
  overwritten: number;
  declined: number;
  dashboard: number;
  /** How often a channel’s contents were not known, by whoever had changed it last. */
  readonly unknown: Record<'nobody' | 'dashboard' | 'self' | 'other', number>;
}

/** An edit that was asked for, with the videos that were named. */
interface AskedEdit extends Edit {
  readonly keys: readonly string[];
  readonly reply: ToolReply;
}

interface Contents {
  readonly videoKeys: readonly string[];
  readonly projectKeys: readonly string[];
  readonly description: string;
}

/** Computed independently of the server. */
function after({ videoKeys, ...rest }: Contents, { verb, picks, keys }: Pick<AskedEdit, 'verb' | 'picks' | 'keys'>): Contents {
  const others = videoKeys.filter((one) => !keys.includes(one));
  const lists: Readonly<Record<Verb, readonly string[]>> = {
    add: [...videoKeys, ...keys.filter((one) => !videoKeys.includes(one))],
    remove: others,
    first: [...keys, ...others],
    set: keys,
    describe: videoKeys,
  };
  return { ...rest, videoKeys: lists[verb], ...(verb === 'describe' ? { description: descriptionOf(picks) } : {}) };
}

const descriptionOf = (picks: readonly number[]): string => `About ${picks.join(' and ')}`;

const isSame = (one: Contents, other: Contents): boolean =>
  one.description === other.description &&
  one.videoKeys.join() === other.videoKeys.join() &&
  one.projectKeys.join() === other.projectKeys.join();

/** Carries a week out. Throws where an account is other than what was approved and what the dashboard did. */
export async function liveWeek(demo: DemoService, desks: readonly [Desk, Desk], steps: readonly Step[]): Promise<Tally> {
  const ids = [...demo.world.channels.keys()];
  const keys = videoKeysOf(demo, VIDEOS);
  const key = (pick: number): string => String(keys[pick]);
  const id = (channel: number): string => String(ids[channel]);
  const real = (channel: number): Contents => ({
    ...{ videoKeys: contentOf(demo, id(channel)).videoKeys, projectKeys: contentOf(demo, id(channel)).projectKeys },
    description: demo.world.channels.get(id(channel))?.description ?? '',
  });
  const truth = ids.map((_, channel) => real(channel));
  const truthOf = (channel: number): Contents => truth[channel] ?? { videoKeys: [], projectKeys: [], description: '' };
  /** Who changed each channel last. */
  const last: ('nobody' | 'dashboard' | Who)[] = ids.map(() => 'nobody');
  const tally: Tally = {
    asked: 0,
    applied: 0,
    overtaken: 0,
    overwritten: 0,
    declined: 0,
    dashboard: 0,
    unknown: { nobody: 0, dashboard: 0, self: 0, other: 0 },
  };
  const writes = (): number => writesOf(demo).length;
  let at = '';

  function expectAsKept(): void {
    for (const channel of ids.keys()) expect(real(channel), `${at}: channel ${channel}`).toEqual(truthOf(channel));
  }

  function editElsewhere({ channel, picks, isRename }: Extract<Step, { kind: 'dashboard' }>): void {
    const videoKeys = isRename ? truthOf(channel).videoKeys : [...new Set(picks.map(key))];
    demo.world.editChannel(id(channel), isRename ? { name: `Renamed ${picks.join('-')} of ${channel}` } : { videoKeys: [...videoKeys] });
    truth[channel] = { ...truthOf(channel), videoKeys };
    last[channel] = 'dashboard';
    tally.dashboard += 1;
  }

  /** Asks, with what the user says that the channel holds where that isn’t known. Undefined for what would change nothing. */
  async function ask(edit: Edit): Promise<AskedEdit | undefined> {
    const { by, channel, verb, picks } = edit;
    const held = truthOf(channel);
    const ofList = { remove: held.videoKeys.slice(0, 1), first: held.videoKeys.slice(-1) };
    const keys = verb === 'remove' || verb === 'first' ? ofList[verb] : [...new Set(picks.map(key))];
    const next = after(held, { verb, picks, keys });
    if (isSame(next, held) || next.videoKeys.length === 0) return undefined;
    const desk = desks[by];
    const { data } = await desk.call('get_channel', { channel: id(channel) });
    const contents = data?.contents as Values; // as advertised
    if (contents.known === true) {
      const { videoKeys, projectKeys = [] } = contents;
      const really = { videoKeys: held.videoKeys, projectKeys: held.projectKeys };
      expect({ videoKeys, projectKeys }, `${at}: what is told of channel ${channel}`).toEqual(really);
    } else {
      const lastBy = last[channel] ?? 'nobody';
      tally.unknown[typeof lastBy === 'number' ? (lastBy === by ? 'self' : 'other') : lastBy] += 1;
    }
    const stated = contents.known === true ? {} : { currentVideoKeys: held.videoKeys, currentProjectKeys: held.projectKeys };
    const names = { add: 'addVideoKeys', remove: 'removeVideoKeys', first: 'firstVideoKeys', set: 'setVideoKeys' } as const;
    const wanted = verb === 'describe' ? { description: descriptionOf(picks) } : { [names[verb]]: keys };
    const before = writes();
    const reply = await desk.call('update_channels', { changes: [{ channel: id(channel), ...wanted, ...stated }] });
    expect(reply.isError, `${at}: ${reply.text}`).toBe(false);
    expect(writes(), `${at}: nothing is sent before somebody decides`).toBe(before);
    tally.asked += 1;
    return { ...edit, keys, reply };
  }

  /** True where it was applied. */
  async function decide({ by, decision, reply }: AskedEdit, between: () => Promise<void> | void): Promise<boolean> {
    const desk = desks[by];
    if (decision !== 'apply') {
      await between();
      await desk[decision](reply);
      tally.declined += 1;
      return false;
    }
    if (!(await desk.approve(reply, between))) {
      tally.overtaken += 1;
      await desk.withdraw(reply);
      return false;
    }
    const status = await desk.ended(reply);
    // Where it was begun, the channel is read once more before anything is sent.
    expect(['applied', 'failed'], `${at}: ${reply.text}`).toContain(status);
    tally[status === 'applied' ? 'applied' : 'overtaken'] += 1;
    return status === 'applied';
  }

  function keep(edit: AskedEdit): void {
    truth[edit.channel] = after(truthOf(edit.channel), edit);
    last[edit.channel] = edit.by;
  }

  async function one(edit: Edit, meanwhile?: Extract<Step, { kind: 'dashboard' }>): Promise<void> {
    const asked = await ask(edit);
    if (asked === undefined) return;
    const before = writes();
    const isApplied = await decide(asked, () => meanwhile && editElsewhere(meanwhile));
    expect(writes() - before, `${at}: sent`).toBe(isApplied ? 1 : 0);
    if (!isApplied) return;
    // What was shown is what is sent: of a channel that is another by now nothing is.
    expect(meanwhile, `${at}: applied over what the dashboard did`).toBeUndefined();
    keep(asked);
  }

  async function both(edits: readonly [Edit, Edit], isAtOnce: boolean): Promise<void> {
    const asked = [await ask(edits[0]), await ask(edits[1])].filter((edit) => edit !== undefined);
    const held = truthOf(edits[0].channel);
    const before = writes();
    const applied: boolean[] = [];
    if (isAtOnce) {
      // Both are shown what the channel holds before either presses.
      let looking = asked.length;
      let press = (): void => undefined;
      const haveLooked = new Promise<void>((resolve) => {
        press = resolve;
      });
      const between = (): Promise<void> => {
        looking -= 1;
        if (looking === 0) press();
        return haveLooked;
      };
      applied.push(...(await Promise.all(asked.map((edit) => decide(edit, between)))));
    } else for (const edit of asked) applied.push(await decide(edit, () => undefined));
    const done = asked.filter((_, index) => applied[index]);
    expect(writes() - before, `${at}: sent`).toBe(done.length);
    const [one, other] = done;
    if (one === undefined || other === undefined) return done.forEach(keep);
    const { channel } = one;
    const now = real(channel);
    const inOrder = [
      [one, other],
      [other, one],
    ] as const;
    const order = inOrder.find(([first, second]) => isSame(now, after(after(held, first), second)));
    if (order !== undefined) return order.forEach(keep);
    tally.overwritten += 1;
    truth[channel] = now;
    last[channel] = isSame(now, after(held, one)) ? one.by : other.by;
  }

  for (const [index, step] of steps.entries()) {
    at = `step ${index + 1}, ${JSON.stringify(step)}`;
    if (step.kind === 'dashboard') editElsewhere(step);
    else if (step.kind === 'edit') await one(step.edit, step.meanwhile);
    else await both(step.edits, step.isAtOnce);
    expectAsKept();
  }
  return tally;
}
