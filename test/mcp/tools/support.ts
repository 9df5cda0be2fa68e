import { expect } from 'vitest';
import { writesOf } from '../../changes/support/world.ts';
import type { Values } from '../../harness/client.ts';
import { type StartOptions, start } from '../../harness/start.ts';

/** Wrong arguments of every tool that answers a page of records. */
export const WRONG_PAGES = [
  [{ page: 0 }, 'page: '],
  [{ page: 1.5 }, 'page: '],
  [{ size: 0 }, 'size: '],
  [{ size: 101 }, 'size: '],
  [{ sort: 's'.repeat(61) }, 'sort: '],
] as const;

/** Calls with wrong arguments are refused, each with words that say what is wrong, and nothing is sent to the account. */
export async function expectRefused(
  tool: string,
  calls: readonly (readonly [args: Values, says: string | RegExp])[],
  options: StartOptions = {},
): Promise<void> {
  const { client, demo } = await start(options);
  for (const [args, says] of calls) {
    const { isError, text } = await client.callTool(tool, args);
    expect
      .soft([isError, text], JSON.stringify(args))
      .toEqual([true, says instanceof RegExp ? expect.stringMatching(says) : expect.stringContaining(says)]);
  }
  expect(writesOf(demo)).toEqual([]);
}

/** The fields that are not empty. */
export function setIn(values: object): Values {
  const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}
