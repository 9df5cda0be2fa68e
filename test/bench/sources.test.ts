import { expect, test } from 'vitest';

test.each(['queries', 'cluster'])('every export that the benchmark %s takes from the source exists', async (name) => {
  const { SOURCE } = await import(`../../bench/${name}.mjs`);
  const { loadSource } = await import(`../../scripts/${'load-source'}.mjs`);
  const wanted = [...String(SOURCE).matchAll(/export \{ (\w+)/g)].map(([, exported]) => exported);
  expect(wanted.length).toBeGreaterThan(3);
  const loaded: Record<string, unknown> = await loadSource(SOURCE);
  for (const exported of wanted) expect(loaded).toHaveProperty(String(exported));
});
