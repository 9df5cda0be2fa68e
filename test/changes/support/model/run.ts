/** Runs one random history against the real server, and compares each answer with the state of the service. */
import { expect } from 'vitest';
import { numericId } from '../../../../src/demo/content/identifiers.ts';
import type { FormResult, ShownForm, ToolReply, Values } from '../../../harness/client.ts';
import { recordsIn } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { freshHome, type Session, start } from '../../../harness/start.ts';
import { agreementIn, confirmPreview } from '../confirm.ts';
import { CHANNELS, type Command, type Edit, PROJECTS, type Setting, type Then, VIDEOS, type Want } from './commands.ts';
import type { Stated } from './ledger.ts';
import { argsOf, editElsewhere, prepare, spoil, statementOf } from './setup.ts';
import { type Agreed, createWatch } from './watch.ts';

interface Held {
  readonly agreement: Values;
  readonly agreed: Agreed;
}

export interface Tally {
  puts: number;
  posts: number;
  claims: number;
  applied: number;
  stated: number;
  /** Resumptions that wrote something. */
  resumed: number;
  statuses: Record<string, number>;
}

export async function live(setting: Setting, commands: readonly Command[], tally: Tally): Promise<void> {
  const demo = await startService({ channels: CHANNELS, projects: PROJECTS, videos: VIDEOS, views: 1 });
  const life = await begin(demo, setting, tally);
  try {
    for (const command of commands) await life.step(command);
    await life.settle();
  } finally {
    await life.end();
    await demo.close();
  }
}

async function begin(demo: DemoService, setting: Setting, tally: Tally) {
  const names = prepare(demo, setting);
  const home = freshHome();
  const ids = [...demo.world.channels.keys()];
  const idAt = (at: number): string => String(ids[at]);
  const edit = (wanted: Edit): void => editElsewhere(demo, idAt(wanted.channel), wanted, names, watch);
  const watch = createWatch(demo, names, edit);
  watch.ledger.noteAll();
  if (setting.numericIds) for (const id of ids) watch.realIds.set(String(numericId(id)), id);
  const tokens: Held[] = [];
  const done: { readonly changeId: string; readonly agreed: Agreed; readonly reply: ToolReply }[] = [];
  let onForm: (form: ShownForm) => FormResult = () => ({ action: 'decline' });
  let session: Session = await connect();

  function connect(): Promise<Session> {
    const kind = setting.asking === 'retry' ? ('raw lines, modern' as const) : ('raw lines' as const);
    if (setting.asking === 'token') return start({ demo, home, client: kind });
    // These forms are refused at once, as by a client that shows none; with this setting the next change uses a form all the same.
    return start({ demo, home, client: kind, forms: (form) => onForm(form), env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  }

  function nothingWrong(): void {
    expect(watch.wrongs, 'writes').toEqual([]);
  }

  /** A call during which only what the person agreed to may be written. */
  async function callAgreed(agreed: readonly Agreed[], act: () => Promise<ToolReply>): Promise<ToolReply> {
    for (const one of agreed) watch.active.add(one);
    const reply = await act();
    for (const one of agreed) watch.active.delete(one);
    nothingWrong();
    return reply;
  }

  async function change(tool: string, args: Values, agreed: Agreed, then: Then, thinking: Edit | null): Promise<void> {
    const consent = (preview: string): void => {
      if (!agreed.isResumed) agreed.shown = watch.ledger.allSeen();
      agreed.preview = `${agreed.preview}\n${preview}`;
      if (thinking !== null) edit(thinking);
    };
    if (setting.asking === 'token') return changeByToken(tool, args, agreed, then, consent);
    onForm = ({ message }) => {
      consent(message);
      if (then !== 'agree') return then === 'untick' ? { action: 'accept', content: { decision: 'nothing' } } : { action: answerTo(then) };
      watch.active.add(agreed);
      return { action: 'accept', content: { decision: 'apply' } };
    };
    const reply = await session.client.callTool(tool, args);
    watch.active.delete(agreed);
    nothingWrong();
    settled(agreed, reply);
  }

  async function changeByToken(tool: string, args: Values, agreed: Agreed, then: Then, consent: (preview: string) => void): Promise<void> {
    const asked = await session.client.callTool(tool, args);
    nothingWrong();
    if (asked.data?.status !== 'confirmation_required') return settled(agreed, asked);
    consent(asked.text);
    if (then === 'hold') tokens.push({ agreement: agreementIn(asked), agreed });
    if (then === 'tamper') {
      await session.client.callTool('confirm_change', { ...agreementIn(asked), ...spoil(tool, args) });
      nothingWrong();
    }
    if (then !== 'agree') return;
    settled(agreed, await callAgreed([agreed], () => confirmPreview(session.client, asked)));
  }

  /** Checks that what an answer says about each channel is true. */
  function settled(agreed: Agreed, reply: ToolReply): void {
    const { data } = reply;
    const status = String(data?.status);
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (typeof data?.changeId !== 'string' || status === 'confirmation_required') {
      if (!agreed.isResumed) expect([...agreed.written.keys(), ...agreed.created], reply.text).toEqual([]);
      return;
    }
    expect(['applied', 'partly_applied', 'stopped', 'failed'], reply.text).toContain(status);
    if (!agreed.isResumed) watch.noteStatements(agreed);
    if (agreed.kind === 'state') {
      tally.stated += 1;
      return;
    }
    holdToWorld(agreed, reply);
    if (!done.some(({ changeId }) => changeId === data.changeId)) done.push({ changeId: data.changeId, agreed, reply });
  }

  function holdToWorld(agreed: Agreed, reply: ToolReply): void {
    const { data, text } = reply;
    const real = (entry: Values): string => watch.realIds.get(String(entry.id)) ?? String(entry.id);
    const idsListed = (name: string) => new Set((data?.[name] === undefined ? [] : recordsIn(data, name)).map(real));
    const [failed, unknown, notDone, touched] = ['failed', 'unknown', 'notDone', 'after'].map(idsListed);
    const written = agreed.kind === 'create' ? agreed.created.map(() => 'new') : [...agreed.written.keys()];
    for (const id of [...(failed ?? []), ...(notDone ?? [])]) expect(written, `said not to be done: ${text}`).not.toContain(id);
    for (const id of touched ?? [])
      if (!unknown?.has(id) && agreed.kind !== 'create') expect(written, `said to be done: ${text}`).toContain(id);
    // The answer of one that was carried on has those of its last run.
    if (!agreed.isResumed)
      for (const id of written) if (!unknown?.has(id) && agreed.kind !== 'create') expect([...(touched ?? [])], text).toContain(id);
    if (data?.status !== 'applied') return;
    tally.applied += 1;
    for (const [id, { exact }] of agreed.written) expect(exact, `${id} is said to be as wanted: ${text}`).toBe(true);
    if (agreed.kind === 'create') expect(agreed.created.length, text).toBe(1);
  }

  async function look(id: string): Promise<void> {
    const channel = demo.world.channels.get(id);
    if (channel === undefined) return;
    const from = channel.version;
    const wasStale = watch.ledger.isStale(id);
    const { data, isError } = await session.client.callTool('get_channel', { channel: reference(id) });
    nothingWrong();
    if (isError || data === undefined) return;
    const contents = data.contents as { known: boolean; source: string; videoKeys?: string[]; projectKeys?: string[] }; // as advertised
    if (!contents.known || (contents.source.includes('service') && wasStale)) return;
    tally.claims += 1;
    // Somebody may have changed it while it was read.
    const truths = Array.from({ length: channel.version - from + 1 }, (_, more) => watch.ledger.at(id, from + more));
    const stated = contents.source.includes('stated') ? watch.statedOf(id) : [];
    // A list that was stated to be empty is not sent, so it is still a statement after a change.
    const inherited = contents.source.endsWith(' as stated') ? [{ videoKeys: [], projectKeys: [] }] : [];
    for (const list of ['videoKeys', 'projectKeys'] as const)
      if (contents[list] !== undefined)
        expect(
          [...truths, ...stated, ...inherited].map((truth) => truth[list]),
          `${id} is said to hold`,
        ).toContainEqual(contents[list]);
  }

  const reference = (id: string): string => (setting.numericIds ? String(numericId(id)) : id);
  const toArgs = (wants: readonly Want[]): Values => ({
    changes: wants.map((want) => argsOf(demo, reference(idAt(want.channel)), want, names, statedBy(want))),
  });
  const statedBy = ({ channel, states }: Want) => (states === undefined ? undefined : statementOf(demo, idAt(channel), states));
  /** Mostly uses videos that the channel holds: a call that is refused at once proves little. */
  const fitted = (want: Want): Want => {
    const there = demo.world.channels.get(idAt(want.channel))?.videoKeys ?? [];
    const held = (list: readonly number[]) => [...new Set(list.map((at) => names.numberOf(String(there[at % there.length]))))];
    if (want.isWild === true || there.length === 0 || want.set !== undefined) return want;
    return { ...want, ...(want.remove && { remove: held(want.remove) }), ...(want.first && { first: held(want.first) }) };
  };

  async function step(command: Command): Promise<void> {
    switch (command.kind) {
      case 'update': {
        const wants = command.wants.map(fitted);
        const stated = new Map(wants.flatMap((want) => [[idAt(want.channel), statedBy(want)] as const]).filter(isStated));
        const agreed = { ...nothing(), stated, kind: 'update' as const, wants: new Map(wants.map((want) => [idAt(want.channel), want])) };
        return change('update_channels', toArgs(wants), agreed, command.answer, command.thinking);
      }
      case 'state': {
        const id = idAt(command.channel);
        const lists = statementOf(demo, id, command.word);
        const agreed = { ...nothing(), kind: 'state' as const, stated: new Map([[id, lists]]) };
        return change('state_contents', { channels: [{ channel: reference(id), ...lists }] }, agreed, command.answer, command.thinking);
      }
      case 'create': {
        const create = { name: command.name, videoKeys: command.videos.map(names.video) };
        return change('create_channels', { channels: [create] }, { ...nothing(), kind: 'create', create }, command.answer, null);
      }
      case 'undo': {
        const past = done[done.length - 1 - (command.which % Math.max(1, done.length))];
        if (past === undefined || past.agreed.kind === 'create') return;
        const wants = past.agreed.kind === 'undo' ? (past.agreed.undoes?.wants ?? new Map()) : past.agreed.wants;
        const agreed = { ...nothing(), kind: 'undo' as const, undoes: { wants, written: new Map(past.agreed.written) } };
        return change('undo_change', { changeId: past.changeId }, agreed, command.answer, command.thinking);
      }
      case 'carryOn': {
        const { wants, skip, fault, between, stated, answer, thinking } = command;
        demo.faults.next({ match: { api: 'main', method: 'PUT' }, skip, times: 9, do: fault });
        await step({ kind: 'update', wants, answer: 'agree', thinking: null });
        demo.faults.clear();
        if (between !== null) edit(between);
        if (stated !== null) await step({ kind: 'state', ...stated, answer: 'agree', thinking: null });
        return step({ kind: 'resume', which: 0, answer, thinking });
      }
      case 'resume': {
        const open = done.filter(({ reply }) => reply.data?.status !== 'applied');
        const past = open[open.length - 1 - (command.which % Math.max(1, open.length))];
        if (past === undefined) return;
        const writes = past.agreed.written.size + past.agreed.created.length;
        past.agreed.isResumed = true;
        await change('resume_change', { changeId: past.changeId }, past.agreed, command.answer, command.thinking);
        if (past.agreed.written.size + past.agreed.created.length > writes) tally.resumed += 1;
        return;
      }
      case 'redeem':
        return redeem(command.which, command.spoilt);
      case 'edit':
        return edit(command.edit);
      case 'meanwhile':
        return void watch.meanwhile.push({ ...command });
      case 'strike':
        return demo.faults.next({
          match: { api: 'main', method: command.method },
          skip: command.skip,
          times: command.times,
          do: command.fault,
        });
      case 'stale':
        demo.behaviour.staleReads = command.reads;
        return;
      case 'restart':
        await session.stop();
        session = await connect();
        return;
      case 'look':
        return look(idAt(command.channel));
    }
  }

  /** Sends one or two held tokens at the same moment. */
  async function redeem(which: readonly number[], spoilt: boolean): Promise<void> {
    const chosen = [...new Set(which.map((at) => tokens[at % Math.max(1, tokens.length)]))].filter((one) => one !== undefined);
    if (spoilt) {
      for (const { agreement } of chosen)
        await session.client.callTool('confirm_change', { ...agreement, confirmationToken: ` ${agreement.confirmationToken}` });
      return nothingWrong();
    }
    for (const { agreed } of chosen) watch.active.add(agreed);
    const replies = await Promise.all(chosen.map(({ agreement }) => session.client.callTool('confirm_change', agreement)));
    for (const { agreed } of chosen) watch.active.delete(agreed);
    nothingWrong();
    for (const [at, reply] of replies.entries()) {
      const one = chosen[at];
      if (one !== undefined && (one.agreed.written.size === 0 || reply.data?.changeId !== undefined)) settled(one.agreed, reply);
    }
  }

  return {
    step,
    /** At the end, without faults: checks what is claimed of every channel and every change. */
    async settle(): Promise<void> {
      demo.faults.clear();
      watch.meanwhile.splice(0);
      for (const id of ids) await look(id);
      for (const { changeId, agreed } of done) holdToWorld(agreed, await session.client.callTool('get_change', { changeId }));
      tally.puts += watch.counts.puts;
      tally.posts += watch.counts.posts;
    },
    end: () => session.stop(),
  };
}

const answerTo = (then: Then): 'decline' | 'cancel' => (then === 'cancel' ? 'cancel' : 'decline');

const isStated = (entry: readonly [string, Stated | undefined]): entry is readonly [string, Stated] => entry[1] !== undefined;

const nothing = (): Agreed => ({
  kind: 'update',
  stated: new Map(),
  wants: new Map(),
  undoes: undefined,
  create: undefined,
  shown: new Map(),
  preview: '',
  isResumed: false,
  written: new Map(),
  created: [],
});
