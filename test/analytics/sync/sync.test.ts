import { expect, test } from 'vitest';
import { days, startLab, viewsOf } from './support.ts';

test('a span is read once, and is whole', async () => {
  const lab = await startLab();
  const span = days('2026-09-01', '2026-09-20');
  const coverage = await lab.ensure(span);
  expect(await lab.held(span)).toEqual(viewsOf(lab.demo, span));
  expect(coverage).toMatchObject({
    asked: span,
    held: [span],
    complete: true,
    records: viewsOf(lab.demo, span).length,
    setAside: { count: 0 },
  });
  const requests = lab.demo.requests.length;
  expect(await lab.ensure(days('2026-09-03', '2026-09-10'))).toMatchObject({ complete: true });
  expect(lab.demo.requests.length).toBe(requests);
});
