/** Which ways to ask a person are tried, and in which order. */
import { expect, test } from 'vitest';
import { routesFor } from '../../../src/changes/proposals/routes/index.ts';
import { sentence } from '../../../src/text/sentence.ts';

test.each([
  ['ask', true, false, 'none', ['form', 'token']],
  ['ask', true, true, 'none', ['token']],
  ['ask', false, false, 'none', ['token']],
  ['ask', true, false, 'there', ['form', 'page', 'token']],
  ['ask', true, true, 'there', ['page', 'token']],
  ['ask', false, false, 'there', ['page', 'token']],
  ['ask', false, false, 'missed', ['token']],
  ['form', true, false, 'there', ['form']],
  ['form', true, true, 'none', ['form']],
  ['form', false, false, 'there', []],
  ['page', true, false, 'there', ['page']],
  ['page', true, false, 'missed', ['page']],
  ['page', true, false, 'none', []],
  ['token', true, false, 'there', ['token']],
  ['never', true, false, 'there', ['never']],
] as const)(
  'mode "%s" with forms declared: %s, forms unseen: %s, a browser is %s: it has the routes %j',
  (mode, areDeclared, areUnseen, browser, routes) => {
    const ways = {
      forms: { areDeclared, unseen: areUnseen ? ({ how: 'declined', at: '2026-11-01T00:00:00Z' } as const) : undefined },
      page: { unavailable: () => (browser === 'none' ? sentence`There is none.` : undefined), isMissed: () => browser === 'missed' },
    };
    expect(routesFor(mode, ways).map(({ name }) => name)).toEqual(routes);
  },
);
