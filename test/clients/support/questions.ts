/** What a client draws where it asks its person, as text that is compared with the recorded one and as a picture for docs/clients.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DemoService } from '../../harness/demo.ts';
import type { ClientKit } from './kits.ts';
import { pictureOf } from './picture.ts';
import type { Step } from './script.ts';
import { COLUMNS, type Terminal } from './terminal.ts';

/** The client's own question whether a tool may run. The tests answer yes. */
export const OWN_QUESTION = /Allow the .* MCP server to run tool/;

/** For so long a person reads. The server takes an answer within half a second for one that nobody saw. */
export const READ_MS = 1_000;

/** A change that removes the first video from `count` channels, so that the form must show losses. */
export function shrink(count: number): { readonly step: Step; readonly prepare: (demo: DemoService) => void } {
  const changes: { channel: string; removeVideoKeys: string[] }[] = [];
  const prepare = ({ world }: DemoService): void => {
    const channels = [...world.channels.values()].filter(({ videoKeys }) => videoKeys.length > 1).slice(0, count);
    for (const { id, videoKeys } of channels) changes.push({ channel: id, removeVideoKeys: videoKeys.slice(0, 1) });
  };
  return { step: () => ({ tool: 'update_channels', args: { changes } }), prepare };
}

/** The lines of a form that are on the screen, without the random parts of ids and addresses. */
function formIn(kit: ClientKit, screen: string): readonly string[] {
  const lines = screen
    .trimEnd()
    .replace(/\bchg-[\w-]+/g, 'chg-…')
    .replace(/:\d+(?=\/changes\/)/g, ':…')
    .split('\n');
  const top = lines.findIndex((line) => kit.formTop.test(line));
  return top < 0 ? lines : lines.slice(top);
}

/** Fails unless what is drawn is what was recorded. `what` is empty for a form. */
export const expectAsRecorded = (kit: ClientKit, screen: string, rows: number, what = '') =>
  expect(`${formIn(kit, screen).join('\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, '..', 'captures', `${kit.name}-${kit.version}${what}-${rows}.txt`),
  );

/** The picture of docs/clients.md, made again when the captures are. */
export async function draw(kit: ClientKit, terminal: Terminal, what: 'form' | 'link'): Promise<void> {
  const drawn = pictureOf(formIn(kit, await terminal.colouredScreen()), COLUMNS);
  expect(drawn.length).toBeGreaterThan(10_000);
  const folder = process.env.CLIENTS_PICTURES;
  if (folder !== undefined) writeFileSync(join(folder, `${what}-${kit.name}.png`), drawn);
}
