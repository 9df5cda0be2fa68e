/** Writes each attack into every field that strangers can write, and looks for it in every output. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { APPLY, type ShownForm } from '../harness/client.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { ATTACKS } from '../harness/planting.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { addPeople } from './emails-support.ts';
import { callEverything } from './sweep-everything.ts';

/** Attacks that are planted together: a service with all of them would cut most. */
const AT_ONCE = 5;

const groups = Array.from({ length: Math.ceil(Object.keys(ATTACKS).length / AT_ONCE) }, (_, group) =>
  Object.entries(ATTACKS).slice(group * AT_ONCE, (group + 1) * AT_ONCE),
);

/** Writes the texts into every field that strangers can write, one after the other: no kind of record has fewer records than there are texts. */
function plant({ world }: DemoService, texts: readonly string[]): void {
  let next = 0;
  const text = () => texts[next++ % texts.length] ?? '';
  for (const records of [[...world.channels.values()], [...world.projects.values()], world.plans, world.templates]) {
    expect(records.length).toBeGreaterThanOrEqual(texts.length);
    for (const record of records) {
      const own = text();
      Object.assign(record, { name: own, ...('description' in record ? { description: own } : {}) });
    }
  }
  for (const project of world.projects.values())
    Object.assign(project, { region: project.name, videoOptions: { playerSkin: project.name, [project.name]: project.name } });
  for (const channel of world.channels.values()) channel.templateKey = channel.name;
  for (const own of texts) {
    addPeople({ world }, own, own);
    for (let view = 0; view < 2; view += 1)
      world.addView({
        clientUserId: own,
        region: own,
        browser: { family: own, major: 1, minor: 0 },
        device: { family: own, brand: own, type: own },
        os: { family: own, major: 1 },
        geo: { ip: '192.0.2.66', city: own, country: own, region: own, continent: own },
        embed: { url: `https://attacker.example/${own}`, domain: own, type: 1 },
        date: '2026-10-15T12:00:00+00:00',
      });
  }
  // The messages of the service have one after the other.
  Object.defineProperty(world, 'messageSuffix', { get: () => ` ${text()}` });
}

describe.each(groups.map((group) => [group.map(([name]) => name).join(', '), group.map(([, text]) => text)] as const))(
  '%s',
  (_names, texts) => {
    test('is sanitized in answers, forms, resources, prompts, completions, logs and files', async () => {
      const home = freshHome();
      mkdirSync(join(home, 'files'));
      const catalogue = join(home, 'catalogue.json');
      const demo = await startService({ channels: 10, projects: AT_ONCE, videos: 12, views: 40 });
      const videos = [...demo.world.videos.values()];
      writeFileSync(catalogue, JSON.stringify(videos.map(({ id, key }, at) => ({ id, key, title: `${texts[at % texts.length]} ${at}` }))));
      plant(demo, texts);
      demo.behaviour.channelRecordsShowContents = true;
      const forms: ShownForm[] = [];
      const env = {
        VIDEO_HOSTING_FILES_DIR: join(home, 'files'),
        VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue,
        VIDEO_HOSTING_PERSONAL_DATA: 'allowed',
      };
      const session = await start({
        demo,
        home,
        env,
        forms: (form) => {
          forms.push(form);
          return APPLY;
        },
      });
      const { client, output, dataDir } = session;
      await callEverything(client, demo);
      for (const text of texts) {
        await client.callTool('get_channel', { channel: text.slice(0, 500) });
        await client.getPrompt('bulk-move', { targetProject: text, videos: text });
        await client.callTool('create_channels', {
          channels: [{ name: text.slice(0, 90), description: text.slice(0, 200), videoKeys: [text.slice(0, 100)] }],
        });
      }
      await session.stop();

      const wrote = output();
      expect(wrote.match(/Orderword/g)?.length).toBeGreaterThan(texts.length * 20);
      expect(hiddenIn(wrote)).toEqual([]);
      expect(forms.length).toBeGreaterThan(3);
      for (const { message, requestedSchema } of forms) {
        expect(hiddenIn(JSON.stringify([message, requestedSchema]))).toEqual([]);
        expectQuoted(message);
        for (const title of titlesIn(requestedSchema)) expectQuoted(title);
      }
      for (const line of modelTexts(wrote)) expectQuoted(line);
      // The server alone chooses the names of files, and no cell of a CSV file starts a formula.
      for (const entry of [dataDir, join(home, 'files')].flatMap((folder) =>
        readdirSync(folder, { recursive: true, withFileTypes: true }),
      )) {
        expect(entry.name).toMatch(/^[\w.-]+$/);
        if (!entry.name.endsWith('.csv')) continue;
        const csv = readFileSync(join(entry.parentPath, entry.name), 'utf8');
        // For people, it begins with the mark of its encoding.
        expect(hiddenIn(JSON.stringify(csv.replace(/^\uFEFF/, '')))).toEqual([]);
        for (const cell of parse(csv, { relax_column_count: true }).flat())
          expect(String(cell).trimStart()).not.toMatch(/^[=+@\uff1d]|^-\D/);
      }
      for (const line of wrote.split('\n')) expect(line.length).toBeLessThan(400_000);
    });
  },
);

/** Every title in a form's schema. */
function titlesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => (name === 'title' ? [String(value)] : titlesIn(value)));
}

/** The texts that a model reads, out of lines of JSON. */
function modelTexts(lines: string): string[] {
  return lines.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { result } = JSON.parse(line) as { result?: { content?: { text?: string }[] } }; // a message of the server's
    return (result?.content ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  });
}

/** On each line the marker word is inside quotes: an odd number of unescaped quotes comes before it. */
function expectQuoted(text: string): void {
  for (const line of text.split('\n')) {
    for (const { index } of line.matchAll(/Orderword/g)) {
      const before = line.slice(0, index).replace(/\\./g, '');
      expect(`${before.split('"').length % 2 === 0 ? 'quoted' : 'bare'}: ${line.slice(0, index + 9)}`).toMatch(/^quoted/);
    }
  }
}

test('the check finds an unsanitized text', () => {
  expect(() => expectQuoted('a Orderword')).toThrow();
  expect(() => expectQuoted('"a" Orderword')).toThrow();
  expect(() => expectQuoted('x: "a \\" Orderword"')).not.toThrow();
  expect(() => expectQuoted('"a"\nOrderword "')).toThrow();
});
