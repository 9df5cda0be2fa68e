import type { Notice } from '../../../src/changes/notices/notices.ts';
import type { Proposal } from '../../../src/changes/proposals/proposal.ts';
import { sentence } from '../../../src/text/sentence.ts';

/** A change of two channels that waits on disk, with what a person must know of it. */
export const waiting = (notices: readonly Notice[]): Proposal => ({
  ...{ changeId: 'chg-1', store: 'disk', route: 'wait', tool: 'update_channels', requestDigest: '', digest: '', conflicts: [] },
  ...{
    asked: { at: '2026-11-01T00:00:00Z' },
    isOwn: false,
    isAskedHere: false,
    status: 'waiting',
    note: '',
    at: 0,
    expiresAt: 0,
    isAnswered: false,
    overtakes: [],
  },
  plan: {
    ...{ kind: 'update_channels', facts: {}, items: [] },
    preview: { summary: sentence`Change 2 channels`, notices, onFailure: sentence``, undo: { possible: 'yes', how: sentence`` } },
  },
});
