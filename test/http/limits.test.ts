/** How much of the server one person, or one address, can take. */
import { expect, test } from 'vitest';
import { createFailedCredentials } from '../../src/http/failed-credentials.ts';
import { createPersonLimits } from '../../src/http/person-limits.ts';
import { rpcMessages } from '../../src/http/rpc-messages.ts';

const clock = () => {
  let ms = 0;
  return {
    now: () => ms,
    pass(more: number) {
      ms += more;
    },
  };
};

test('a person sends sixty requests at once, then twenty a second, and is told when to come again', () => {
  const { now, pass } = clock();
  const limits = createPersonLimits(now);
  const sent = () => Array.from({ length: 100 }, () => limits.take('bob')).filter((waitS) => waitS === undefined).length;
  expect(sent()).toBe(60);
  expect(limits.take('bob')).toBe(1);
  pass(1_000);
  expect(sent()).toBe(20);
  pass(60_000);
  expect(sent()).toBe(60);
});

test('what one person sends takes nothing of another’s', () => {
  const limits = createPersonLimits(() => 0);
  for (let index = 0; index < 100; index += 1) limits.take('bob');
  expect([limits.take('bob'), limits.take('ann')]).toEqual([1, undefined]);
});

test('a batch counts as what is in it, and one that is refused counts as nothing', () => {
  const limits = createPersonLimits(() => 0);
  expect(limits.take('bob', 61)).toBeGreaterThan(0);
  expect(limits.take('bob', 60)).toBeUndefined();
});

test('eight calls and eight waits are in flight at once; neither keeps the other out', () => {
  const limits = createPersonLimits();
  const begun = Array.from({ length: 9 }, () => limits.begin('bob', { calls: 1, waits: 0 }));
  expect(begun.filter((end) => end !== undefined)).toHaveLength(8);
  expect(limits.begin('bob', { calls: 0, waits: 8 })).toBeDefined();
  expect(limits.begin('bob', { calls: 0, waits: 1 })).toBeUndefined();
  expect(limits.begin('bob', { calls: 0, waits: 0 })).toBeDefined();
  expect(limits.begin('ann', { calls: 8, waits: 8 })).toBeDefined();
  begun[0]?.();
  expect(limits.begin('bob', { calls: 2, waits: 0 })).toBeUndefined();
  expect(limits.begin('bob', { calls: 1, waits: 0 })).toBeDefined();
});

test('what one person sends takes no more memory than a file and some calls, and ten windows more than twenty are none', () => {
  const limits = createPersonLimits();
  const mebibytes = (count: number) => ({ requests: 1, bytes: count * 1_024 * 1_024 });
  expect(limits.begin('bob', mebibytes(32))).toBeDefined();
  expect(Array.from({ length: 4 }, () => limits.begin('bob', mebibytes(4))).filter((end) => end !== undefined)).toHaveLength(2);
  expect(limits.begin('ann', mebibytes(32))).toBeDefined();
  expect(Array.from({ length: 30 }, () => limits.begin('bob', { streams: 1 })).filter((end) => end !== undefined)).toHaveLength(20);
});

test('large bodies count as several requests, and the largest is taken after a while', () => {
  const { now, pass } = clock();
  const limits = createPersonLimits(now);
  const MAX = 4 * 1_024 * 1_024;
  expect(limits.takeBytes('bob', MAX)).toBeUndefined();
  expect(limits.takeBytes('bob', MAX)).toBeGreaterThan(0);
  pass(2_000);
  expect(limits.takeBytes('bob', MAX)).toBeUndefined();
  expect(limits.takeBytes('bob', 100_000)).toBeUndefined();
});

test('of one address twenty wrong credentials a minute are told what is wrong; more are told to come again', () => {
  const { now, pass } = clock();
  const failed = createFailedCredentials(now);
  const refused = Array.from({ length: 22 }, () => failed.add('10.0.0.1'));
  expect(refused.filter((waitS) => waitS === undefined)).toHaveLength(20);
  pass(30_000);
  expect([failed.add('10.0.0.1'), failed.add('10.0.0.2')]).toEqual([30, undefined]);
  pass(30_000);
  expect(failed.add('10.0.0.1')).toBeUndefined();
});

test.each([
  [
    'a single call',
    { method: 'tools/call', params: { name: 'list_channels' }, id: 3 },
    { rpc: 'tools/call', tool: 'list_channels', inFlight: { calls: 1, waits: 0 }, hasLongId: false },
  ],
  ['a wait', { method: 'tools/call', params: { name: 'get_change' } }, { tool: 'get_change', inFlight: { calls: 0, waits: 1 } }],
  ['a list', { method: 'tools/list', id: 'a' }, { rpc: 'tools/list', tool: undefined, inFlight: { calls: 0, waits: 0 } }],
  ['an id of 4 MB', { method: 'tools/list', id: 'a'.repeat(4_000_000) }, { hasLongId: true }],
  [
    'a batch',
    [{ method: 'tools/call', params: { name: 'move_videos' } }, { method: 'tools/call', params: { name: 'get_change' } }, 7],
    { rpc: 'batch', inFlight: { calls: 1, waits: 1 } },
  ],
  ['nothing', undefined, { rpc: undefined, inFlight: { calls: 0, waits: 0 } }],
  ['what is no name', { method: 'a b\n{"x":1}', params: { name: { deep: 1 } } }, { rpc: undefined, tool: undefined }],
])('of %s, limits and the log know what it asks for', (_, body, expected) => {
  expect(rpcMessages(body)).toMatchObject(expected);
});
