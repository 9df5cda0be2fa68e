import { expect, test } from 'vitest';
import { days, NOW_MS, sharedEngine, startLab, viewsOf } from '../../ingest/support.ts';

const engine = sharedEngine();
const SPAN = days('2026-08-01', '2026-10-15');

test('parts of another program version are reported, and their views are read from the service again', async () => {
  const lab = await startLab({ engine });
  lab.clock.ms = NOW_MS;
  await lab.ensure(SPAN);
  const { epoch } = await lab.storage.open();
  await lab.storage.versions.commit(async (manifest) => {
    if (manifest === undefined) throw new Error('Nothing was kept.');
    const segments = manifest.segments.map((segment) => ({ ...segment, schema: '1:id VARCHAR,ts TIMESTAMP' }));
    return { ...manifest, segments };
  });
  const outdated = await lab.reader.coverage(SPAN);
  expect(outdated).toMatchObject({ covered: [], complete: false, records: 0 });
  expect(outdated.missing).toContain(
    'Not read: 2026-08-01 to 2026-10-14. Stored by another version of this program, in a format that this version doesn’t read: 2026-08-01 to 2026-10-14.',
  );
  const question = { span: SPAN, metrics: ['views' as const], groupBy: [], filters: [], offsets: [{ fromMs: 0, offsetSeconds: 0 }] };
  const how = { signal: new AbortController().signal, timeoutMs: 500_000 };
  expect((await lab.reader.ask(question, how)).rows).toEqual([[0]]);

  expect(await lab.ensure(SPAN)).toMatchObject({ complete: true, records: viewsOf(lab.demo, SPAN).length });
  expect(await lab.storedIds(SPAN)).toEqual(viewsOf(lab.demo, SPAN));
  expect((await lab.reader.ask(question, how)).rows).toEqual([[viewsOf(lab.demo, SPAN).length]]);
  expect((await lab.storage.open()).epoch).toBe(epoch);
});
