/** Watches the requests to the service: every write must be one that a person agreed to, and must have the result that they agreed to. */
import { expect } from 'vitest';
import type { DemoRequest } from '../../../../src/demo/requests.ts';
import type { DemoService } from '../../../harness/service.ts';
import { channelIdIn } from '../world.ts';
import type { Edit, Want } from './commands.ts';
import { createLedger, type Names, type State, type Stated, videosAfter } from './ledger.ts';

/** A write that took effect: what the channel showed when it was last looked at, what it was just before, and after. */
export interface Written {
  readonly base: State;
  readonly before: State;
  readonly after: State;
  /** Whether every field that was wanted, and is shown, is as it was wanted. */
  readonly exact: boolean;
}

/** What a person agreed to. */
export interface Agreed {
  readonly kind: 'update' | 'undo' | 'create' | 'state';
  readonly wants: ReadonlyMap<string, Want>;
  /** Of an undo: what was written then, and what was wanted then. */
  readonly undoes: { readonly wants: ReadonlyMap<string, Want>; readonly written: ReadonlyMap<string, Written> } | undefined;
  /** What the person states of each channel. */
  readonly stated: ReadonlyMap<string, Stated>;
  readonly create: { readonly name: string; readonly videoKeys: readonly string[] } | undefined;
  /** The versions that the plan was made on, and what the person read. */
  shown: ReadonlyMap<string, number>;
  preview: string;
  /** Whether it was resumed later: then still only what was shown at first counts. */
  isResumed: boolean;
  readonly written: Map<string, Written>;
  readonly created: string[];
}

export interface Meanwhile {
  readonly on: 'request' | 'processed';
  readonly method: string;
  skip: number;
  readonly edit: Edit;
}

export function createWatch(demo: DemoService, names: Names, edit: (edit: Edit) => void) {
  const ledger = createLedger(demo);
  const active = new Set<Agreed>();
  const meanwhile: Meanwhile[] = [];
  /** What was wrong; thrown by the driver, since the service swallows what a hook throws. */
  const wrongs: string[] = [];
  /** What was stated of each version of a channel. */
  const statements = new Map<string, Stated[]>();
  const counts = { puts: 0, posts: 0, refusedWrites: 0 };

  const idOf = (request: DemoRequest): string => {
    const id = channelIdIn(request);
    return demo.world.channels.has(id) ? id : (realIds.get(id) ?? id);
  };
  /** The real ids by the numeric ids that are sent instead. */
  const realIds = new Map<string, string>();

  function pass(on: Meanwhile['on'], { method }: DemoRequest): void {
    for (const event of [...meanwhile]) {
      if (event.on !== on || event.method !== method) continue;
      if (event.skip > 0) event.skip -= 1;
      else {
        meanwhile.splice(meanwhile.indexOf(event), 1);
        edit(event.edit);
      }
    }
  }

  demo.behaviour.onRequest = (request) => {
    if (request.api === 'main') pass('request', request);
  };
  demo.behaviour.onProcessed = (request) => {
    if (request.api !== 'main') return;
    if (request.method === 'GET' && request.applied) {
      if (/^\/v1\/channels\/(?!templates$)[^/]+$/.test(request.path)) ledger.read(idOf(request));
    }
    if (request.method !== 'GET') {
      try {
        if (request.applied) wrote(request);
        else counts.refusedWrites += 1;
        if (active.size === 0) throw new Error('nobody agreed to anything');
      } catch (error) {
        wrongs.push(`${request.method} ${request.path}: ${String(error)} ${JSON.stringify(request.body)}`);
      }
    }
    pass('processed', request);
  };

  function wrote(request: DemoRequest): void {
    if (request.method === 'POST') {
      created(request);
      return;
    }
    counts.puts += 1;
    const id = idOf(request);
    const channel = demo.world.channels.get(id);
    if (channel === undefined) throw new Error('no such channel');
    ledger.updated(id, channel.version - 1);
    const problems: string[] = [];
    for (const agreed of active) {
      try {
        agreed.written.set(id, judge(agreed, id, ledger.at(id, channel.version)));
        return;
      } catch (error) {
        problems.push(String(error));
      }
    }
    throw new Error(`it is not what was agreed to: ${problems.join(' / ')}`);
  }

  function created({ body }: DemoRequest): void {
    counts.posts += 1;
    const agreed = [...active].find(({ kind, created }) => kind === 'create' && created.length === 0);
    expect(body).toMatchObject({ ...agreed?.create });
    const [id] = [...demo.world.channels.keys()].slice(-1);
    agreed?.created.push(String(id));
    ledger.note(String(id));
    if (agreed === undefined) throw new Error('nobody agreed to a new channel, or not to two');
  }

  function judge(agreed: Agreed, id: string, after: State): Written {
    const truth = ledger.at(id, ledger.seen(id));
    const problems: string[] = [];
    // A statement of the person counts instead of the true contents, for the version that it was made for.
    const known = statements.get(`${id}@${truth.version}`) ?? [];
    // A resumed change must not use a statement that was replaced meanwhile.
    for (const lists of agreed.isResumed ? [known[0], undefined] : [agreed.stated.get(id), ...known, undefined]) {
      try {
        return judgeFrom({ ...truth, ...lists }, agreed, id, after);
      } catch (error) {
        problems.push(String(error));
      }
    }
    throw new Error(problems.at(-1));
  }

  function judgeFrom(base: State, agreed: Agreed, id: string, after: State): Written {
    const before = ledger.at(id, after.version - 1);
    const undone = agreed.undoes?.written.get(id);
    const want = agreed.kind === 'undo' ? agreed.undoes?.wants.get(id) : agreed.wants.get(id);
    if (want === undefined) throw new Error('nothing was wanted of it');
    const isTold = agreed.preview.split('\n').some((line) => isAbout(line, id, base.name) && line.includes('not known'));
    if (agreed.kind === 'undo' && undone === undefined && !isTold) throw new Error('an undo of what was not done');
    const seenOnce = agreed.kind === 'undo' ? (undone?.after.version ?? base.version) : agreed.shown.get(id);
    if (ledger.tells(id)) expect(base.version, 'it was looked at again').toBe(seenOnce);
    const target = agreed.kind === 'undo' ? (undone?.base ?? before) : undefined;
    const videos = target?.videoKeys ?? (statesVideos(want) ? videosAfter(base.videoKeys, want, names) : undefined);
    const projects = target?.projectKeys ?? want.projects?.map(names.project);
    list('videoKeys', videos, isTold, { base, before, after });
    list('projectKeys', projects, isTold, { base, before, after });
    const wanted = {
      name: target?.name ?? want.name ?? base.name,
      description: want.description === undefined ? undefined : (target?.description ?? want.description),
      templateKey: want.template === undefined ? undefined : (target?.templateKey ?? templateAt(demo, want.template)),
    };
    // A value that the channel already had is not sent, so an edit by someone else in the last moment stays.
    const mayStay = (field: 'name' | 'description' | 'templateKey') =>
      mayIgnore(field) || (field !== 'name' && wanted[field] === base[field]);
    for (const field of ['name', 'description', 'templateKey'] as const)
      expect([wanted[field] ?? before[field], ...(mayStay(field) ? [before[field]] : [])], field).toContain(after[field]);
    const exact = (['name', 'description', 'templateKey'] as const).every(
      (field) => (wanted[field] ?? after[field]) === after[field] || wanted[field] === base[field] || !ledger.shows(id, field),
    );
    return { base, before, after, exact };
  }

  const mayIgnore = (field: string): boolean =>
    demo.behaviour.updateIgnores.has(field) || (field === 'templateKey' && demo.behaviour.unknownTemplateKey === 'ignore');

  /** Previews name a channel by its name, and by its id if others have the same name. */
  const isAbout = (line: string, id: string, name: string): boolean => line.includes(shownId(id)) || line.includes(JSON.stringify(name));
  const shownId = (id: string): string => [...realIds].find(([, real]) => real === id)?.[0] ?? id;

  /** Keeps what was stated in a change that was carried out or tried. */
  function noteStatements({ stated, shown }: Agreed): void {
    for (const [id, lists] of stated) {
      const key = `${id}@${shown.get(id)}`;
      statements.set(key, [lists, ...(statements.get(key) ?? [])]);
    }
  }

  const statedOf = (id: string): readonly Stated[] => statements.get(`${id}@${ledger.seen(id)}`) ?? [];

  return { ledger, active, meanwhile, wrongs, counts, realIds, noteStatements, statedOf };
}

/** A requested list must be there; any other must be unchanged, unless the preview said that it is not known. */
function list(
  name: 'videoKeys' | 'projectKeys',
  wanted: readonly string[] | undefined,
  isTold: boolean,
  { base, before, after }: { base: State; before: State; after: State },
): void {
  // An empty list that was empty before need not be sent, so an edit by someone else in the last moment stays.
  const needNotBeSent = wanted?.length === 0 && base[name].length === 0 && String(after[name]) === String(before[name]);
  if (wanted !== undefined) {
    if (!needNotBeSent) expect(after[name], name).toEqual(wanted);
    return;
  }
  const allowed = [base[name], before[name], ...(isTold ? [[]] : [])];
  expect(allowed.map(String), `${name}, which nobody wanted changed`).toContain(String(after[name]));
}

const statesVideos = ({ set, add, remove, first }: Want): boolean => [set, add, remove, first].some((keys) => keys !== undefined);

/** The template's key; number 0 stands for the default, and a number past the end for an unknown template. */
export function templateAt({ world }: DemoService, at: number): string {
  const active = world.templates.filter(({ status }) => status === 1).map(({ key }) => key);
  return ['', ...active][at] ?? 'none-such';
}

export type Watch = ReturnType<typeof createWatch>;
