/** Lists that are very long, and written as clients write them: read in one go, whatever they hold. */
import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/mcp/call/arguments.ts';
import { toolNamed } from '../../../src/mcp/tools/tool-named.ts';
import type { Values } from '../../../src/platform/is-object.ts';

const COUNT = 100_000;

function parsed(name: string, args: Values): Values {
  const tool = toolNamed(name);
  if (tool === undefined) throw new Error(name);
  return parseArguments(tool, args);
}

test('a hundred thousand numbers are the ids that they are written as', () => {
  const numbers = Array.from({ length: COUNT }, (_, index) => 1_000_000 + index);
  const meant = numbers.map(String);
  const others = { targetProject: 'Archive', fromProject: 'Other' };
  expect(parsed('move_videos', { videoIds: numbers, ...others }).videoIds).toEqual(meant);
  expect(parsed('move_videos', { videoIds: [...meant.slice(1), 7], ...others }).videoIds).toEqual([...meant.slice(1), '7']);
  const setVideoKeys = numbers.slice(0, 20_000);
  const changes = [{ channel: 'Spring', setVideoKeys }];
  expect(parsed('update_channels', { changes }).changes).toEqual([{ channel: 'Spring', setVideoKeys: setVideoKeys.map(String) }]);
});

test.each([null, true, {}, []])('a list of nothing but %j is refused where it stands, and told in part', (entry) => {
  const videoIds = ['one', ...Array.from({ length: COUNT }, () => entry)];
  const told = expect.arrayContaining([expect.objectContaining({ field: 'videoIds[1]' })]);
  expect(() => parsed('move_videos', { videoIds, targetProject: 'Archive' })).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ fields: told }) }),
  );
});
