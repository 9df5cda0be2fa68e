import { expect, test } from 'vitest';
import { inert } from '../../../src/mcp/present/inert.ts';

test('a stranger’s field whose name is __proto__ once it is cleaned stays a field', () => {
  const answer = inert({ project: { options: { '__pro\u200bto__': { polluted: true }, 'x\u202ey': 1 } } });
  const { options } = answer.project;
  expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
  expect(Object.entries(options)).toEqual([
    ['__proto__', { polluted: true }],
    ['xy', 1],
  ]);
  expect(JSON.stringify(answer)).toBe('{"project":{"options":{"__proto__":{"polluted":true},"xy":1}}}');
});
