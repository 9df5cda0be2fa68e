/** A fact that is damaged in the journal hides neither its change nor the other facts. */
import { expect, test } from 'vitest';
import { replayLines } from '../../../src/changes/journal/change-record.ts';
import { moveIn } from '../../../src/changes/journal/facts.ts';
import { CHANGE_KINDS } from '../../../src/changes/kinds.ts';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { moveIntent } from '../support/intents.ts';

const AT = '2026-03-01T00:00:00.000Z';

const read = (kind: string, facts: unknown) => {
  const process = { ...thisProcess(), machine: 'elsewhere' };
  return replayLines(JSON.stringify({ ...moveIntent('chg-000000000-0000'), type: 'intent', format: 1, at: AT, process, kind, facts }), 0);
};

test.each(CHANGE_KINDS)('the intent of %s can be read without its facts, but not with something else in their place', (kind) => {
  expect(read(kind, {})?.intent.kind).toBe(kind);
  expect(read(kind, 7)).toBeUndefined();
});

test('a damaged fact counts as absent, and the others count', () => {
  const project = { id: 'p', label: '"P"', count: 3 };
  const facts = {
    move: { digest: 7, rows: null, fileRead: [], targetProjects: [project], fromProjects: [{ ...project, count: -1 }], movedOn: '' },
  };
  const intent = read('move_videos', facts)?.intent;
  expect(intent && moveIn(intent.facts)).toEqual({ digest: '', rows: '', targetProjects: [project], fromProjects: [] });
});
