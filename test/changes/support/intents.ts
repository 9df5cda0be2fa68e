/** Intents of made-up changes of many ids, of which a test needs no more than that they are there. */

import type { NewIntent } from '../../../src/changes/journal/format.ts';
import type { Asked } from '../../../src/changes/plan/asked-and-decided.ts';
import { sentence } from '../../../src/text/sentence.ts';

/** By nobody in particular. */
export const ASKED: Asked = { at: '2026-11-01T00:00:00.000Z' };

const ANY = { decided: { how: 'never' }, summary: sentence`Any.`, onFailure: sentence`` } as const;

export const NO_MOVE = { move: { digest: '', targetProjects: [], fromProjects: [] } };
export const NO_COPY = { copy: { digest: '', source: '', batchSize: 25 } };

export const moveIntent = (changeId: string): NewIntent => ({
  ...ANY,
  kind: 'move_videos',
  facts: NO_MOVE,
  notices: [],
  items: [],
  changeId,
});
export const copyIntent = (changeId: string): NewIntent => ({
  ...ANY,
  kind: 'copy_cta',
  facts: NO_COPY,
  notices: [],
  items: [],
  changeId,
});
