/** What “the newest” is where a call names no change: of whoever asks, however much others did since. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../../../src/changes/journal/journal.ts';
import { newestToResume } from '../../../../src/changes/kinds/earlier/newest.ts';
import { freshHome } from '../../../harness/cleanup.ts';
import { ASKED, moveIntent } from '../../support/intents.ts';

const OTHERS = 60;

/** A move of two videos by somebody; what is left of it can be carried on. */
async function move(journal: ReturnType<typeof createJournal>, name: string, isLeft: boolean): Promise<string> {
  const changeId = await journal.newChangeId();
  const asked = { ...ASKED, by: { id: `person-${name}`, name } };
  const writer = await journal.begin({ ...moveIntent(changeId), asked }, ['video-1', 'video-2']);
  await writer.sendingRange(0, 2, true);
  await writer.recordRange(0, isLeft ? 1 : 2, 'done');
  await writer.end(isLeft ? 'stopped' : 'applied', {});
  return changeId;
}

test('it is found among those of its own person or agent, however many of others came after it', async () => {
  const journal = createJournal(join(freshHome(), 'changes'));
  const anns = await move(journal, 'ann', true);
  const bobs = await move(journal, 'bob', true);
  for (let count = 0; count < OTHERS; count += 1) await move(journal, count % 2 === 0 ? 'bob' : 'eve', false);
  const newestOf = async (name: string) => (await newestToResume(false)(journal, { id: `person-${name}`, name }))?.intent.changeId;
  expect(await newestOf('ann')).toBe(anns);
  expect(await newestOf('bob')).toBe(bobs);
  expect(await newestOf('eve')).toBeUndefined();
  expect(await newestOf('dan')).toBeUndefined();
});
