/** No data that identifies a viewer is on disk at any time, in any encoding. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VIEW_COLUMNS } from '../../src/analytics/columns.ts';
import type { Engine } from '../../src/analytics/engine/contract.ts';
import { FIELD_PRIVACY } from '../../src/privacy/fields.ts';
import { column, days, type Lab, sharedEngine, startLab } from '../analytics/ingest/support.ts';
import { plantPersonalTokens } from '../harness/planting.ts';

const engine = sharedEngine();

const SPAN = days('2026-10-30', '2026-11-02');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Which of the texts occur in any of the files, as they are or in a common encoding. */
function foundIn(files: readonly string[], texts: readonly string[]): string[] {
  const forms = texts.flatMap((text) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64').replace(/=+$/, '')]);
  return files.flatMap((file) => {
    const bytes = readFileSync(file);
    return forms.filter((form) => bytes.includes(form)).map((form) => `${form} in ${file}`);
  });
}

async function startPlanted(): Promise<{ lab: Lab; tokens: string[]; seen: string[]; looks: () => number }> {
  const seen: string[] = [];
  let looks = 0;
  let folder = '';
  const watched: Pick<Engine, keyof Engine> = {
    ...engine,
    async writePart(input) {
      // What is on disk while views are still being read.
      looks += 1;
      seen.push(...foundIn([...new Set([input.spool, ...filesIn(folder)])], tokens));
      return engine.writePart(input);
    },
  };
  const lab = await startLab({ views: 3_000, engine: watched });
  folder = lab.folder;
  const { world } = lab.demo;
  const tokens = plantPersonalTokens(world).map(({ token }) => token);
  const at = '2026-10-31T12:00:00.000+00:00';
  const malformed: Record<string, unknown>[] = [
    { id: 'm1', date: at, started: 'pii-malformed-1', geo: { ip: 'pii-malformed-2' } },
    { id: 'm2', date: 'pii-malformed-3', viewerId: 'pii-malformed-4' },
    { id: 'm3', date: at, browser: 'pii-malformed-5', embed: { url: ['pii-malformed-6'] } },
    { 'pii-malformed-7': 'pii-malformed-8' },
  ];
  for (const record of malformed) world.addRawView(record, at);
  world.addView({ date: at, embed: { url: 'https://pii-user-1:pii-user-2@example.com/x#pii-user-3', domain: 'example.com', type: 1 } });
  world.addView({ date: at, embed: { url: 'mailto:pii-user-4@example.com', domain: '', type: 1 } });
  tokens.push(...Array.from({ length: 8 }, (_, index) => `pii-malformed-${index + 1}`));
  tokens.push(...Array.from({ length: 4 }, (_, index) => `pii-user-${index + 1}`));
  return { lab, tokens, seen, looks: () => looks };
}

test('planted personal values are in no file and no column, neither while views are read nor after', async () => {
  const { lab, tokens, seen, looks } = await startPlanted();
  expect(tokens.length).toBeGreaterThan(25);
  const coverage = await lab.ensure(SPAN);
  expect(coverage).toMatchObject({ complete: true, rejected: { count: 4 } });
  expect(looks()).toBeGreaterThan(0);
  expect(seen).toEqual([]);
  expect(filesIn(lab.folder).some((file) => file.endsWith('.parquet'))).toBe(true);
  expect(foundIn(filesIn(lab.folder), tokens)).toEqual([]);
  for (const { name } of VIEW_COLUMNS) {
    const values = (await column(lab.storage, lab.engine, `CAST(${name} AS VARCHAR)`, SPAN)).join('\n');
    expect(tokens.filter((token) => values.includes(token))).toEqual([]);
  }
  expect(tokens.filter((token) => `${JSON.stringify(coverage)}${lab.log.join('\n')}`.includes(token))).toEqual([]);
});

test('stored viewers can be counted, and another data folder stores the same viewers as other values', async () => {
  const { lab } = await startPlanted();
  await lab.ensure(SPAN);
  const viewers = await column(lab.storage, lab.engine, 'CAST(viewer AS VARCHAR)', SPAN);
  const inSpan = [...lab.demo.world.views.each()].filter((view) => {
    const time = Date.parse(String(view.date));
    return time >= SPAN.fromMs && time < SPAN.toMs && typeof view.started === 'boolean';
  });
  expect(new Set(viewers).size).toBe(new Set(inSpan.map(({ viewerId }) => viewerId)).size);
  const elsewhere = await startLab({ demo: lab.demo, engine });
  await elsewhere.ensure(SPAN);
  const others = new Set(await column(elsewhere.storage, engine, 'CAST(viewer AS VARCHAR)', SPAN));
  expect(viewers.filter((viewer) => others.has(viewer))).toEqual([]);
});

test('every stored column has a privacy class, and the only personal one, the hashed viewer, is not public', () => {
  const classes = FIELD_PRIVACY.view;
  for (const { field } of VIEW_COLUMNS) expect(Object.keys(classes)).toContain(field);
  const personal = VIEW_COLUMNS.filter(({ field }) => classes[field] === 'personal');
  expect(personal.map(({ field, public: isPublic }) => ({ field, isPublic }))).toEqual([{ field: 'viewerId', isPublic: false }]);
});
