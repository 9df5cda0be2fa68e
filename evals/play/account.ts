import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DemoRequest } from '../../src/demo/requests.ts';
import { type DemoService, startDemoService } from '../../test/harness/demo.ts';
import type { Expected, Stage, Task, Wish } from '../task.ts';
import type { Arguments } from './recording.ts';

/** Every task's account unless it says otherwise: on a day in the past, small enough to be made in no time. */
const ACCOUNT = { now: '2026-09-15T09:30:00.000Z', seed: 7, views: 20_000, channels: 60, projects: 12, videos: 800 };

/** A call of a tool that is confirmed at once. */
export interface ConfirmedCall {
  readonly tool: string;
  readonly arguments: Arguments;
}

/** Such a call, or something that happens in the account. */
type Earlier = ConfirmedCall | (() => void);

interface SpokenWish {
  readonly says: string;
  readonly knows: string;
}

export interface ArrangedAccount {
  readonly demo: DemoService;
  readonly expected: Expected;
  /** What the user wants, one wish after the other. */
  readonly wishes: readonly SpokenWish[];
  readonly stage: Stage;
  /** The account's present at the start, in milliseconds since 1970. */
  readonly now: number;
  /** Calls that came before the assistant's. */
  readonly earlier: readonly Earlier[];
  /** Calls that come just before the assistant's first one, and are taken out then. */
  readonly begun: ConfirmedCall[];
  readonly folders: { readonly files: string; readonly data: string };
  readonly catalogue: string | undefined;
  /** To be called once a preview was answered. */
  previewed(): void;
  /** To be called once the wish of this number was answered. */
  wishAnswered(number: number): void;
  /** Files that were not there at the start: name and content. */
  newFiles(): Record<string, string>;
  close(): Promise<void>;
}

/** Starts the demo service with the account of a task, and writes the user's files. `files` is a folder to keep. */
export async function arrangeAccount(task: Task, files?: string): Promise<ArrangedAccount> {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-evals-'));
  const folders = { files: files ?? join(folder, 'files'), data: join(folder, 'data') };
  mkdirSync(folders.files, { recursive: true });
  const account = { ...ACCOUNT, ...task.account };
  const demo = await startDemoService(account);
  const earlier: Earlier[] = [];
  const begun: ConfirmedCall[] = [];
  const watches: { matches: (request: DemoRequest) => boolean; act: () => void }[] = [];
  const afterPreview: (() => void)[] = [];
  const afterWishes: { number: number; act: () => void }[] = [];
  const catalogue = task.catalogue === true ? join(folders.files, 'videos.csv') : undefined;
  demo.behaviour.onRequest = (request) => {
    for (const watch of watches.filter(({ matches }) => matches(request))) {
      watches.splice(watches.indexOf(watch), 1);
      watch.act();
    }
  };
  const stage: Stage = {
    demo,
    world: demo.world,
    writeFile(name, content, written) {
      const path = join(folders.files, name);
      writeFileSync(path, content);
      if (written !== undefined) utimesSync(path, new Date(written), new Date(written));
    },
    before: (tool, args) => earlier.push({ tool, arguments: args }),
    begin: (tool, args) => begun.push({ tool, arguments: args }),
    afterwards: (act) => earlier.push(act),
    onFirst: (matches, act) => watches.push({ matches, act }),
    onPreview: (act) => afterPreview.push(act),
    afterWish: (number, act) => afterWishes.push({ number, act }),
  };
  const expected = task.arrange(stage);
  if (catalogue !== undefined) writeFileSync(catalogue, catalogueOf(demo));
  const given = new Set(readdirSync(folders.files));
  const textOf = (text: Wish['says']): string => (typeof text === 'function' ? text(stage) : text);
  return {
    demo,
    expected,
    wishes: [task, ...(task.next ?? [])].map(({ says, knows }) => ({ says: textOf(says), knows: textOf(knows) })),
    stage,
    now: Date.parse(account.now),
    earlier,
    begun,
    folders,
    catalogue,
    previewed: () => {
      for (const act of afterPreview.splice(0)) act();
    },
    wishAnswered: (answered) => {
      for (const { number, act } of afterWishes) if (number === answered) act();
    },
    newFiles: () => newFilesIn(folders.files, given),
    async close() {
      await demo.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function newFilesIn(folder: string, given: ReadonlySet<string>): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const added = names.filter((name) => !given.has(name) && statSync(join(folder, name)).isFile());
  return Object.fromEntries(added.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** As the dashboard exports it. */
function catalogueOf({ world }: DemoService): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return ['id,key,title', ...[...world.videos.values()].map(({ id, key, title }) => `${id},${key},${quoted(title)}`)].join('\n');
}
