/** Made-up changes, channels and reports in the form of the server’s responses. */
import type { ChangeView, ChannelView, ReportView, StandingView } from '../../../src/page/contract.ts';
import { asSentence, sentence } from '../../../src/text/sentence.ts';
import type { FixtureData } from './fixture-server.ts';

const AT = '2026-08-03T09:00:00.000Z';

export const keyOf = (number: number): string => `vid${String(number).padStart(6, '0')}`;
export const keys = (count: number, from = 1): string[] => Array.from({ length: count }, (_, index) => keyOf(from + index));

const TOPICS = ['How to embed a player', 'Webinar: analytics in an hour', 'Old player: the app', 'Season kick-off', 'Meet the team'];

export const titlesFor = (all: readonly string[]): Record<string, string> =>
  Object.fromEntries(all.map((key, index) => [key, `${TOPICS[index % TOPICS.length]} (part ${index + 1})`]));

/** Of the video catalogue. */
export const CATALOGUE_TITLES = titlesFor(keys(400));

export function waitingChange(overrides: Partial<ChangeView> = {}): ChangeView {
  const spring = keys(12);
  const legacy = keys(10, 100);
  return {
    changeId: 'ch_waiting',
    status: 'waiting',
    summary: 'Change 3 channels',
    at: AT,
    changesAccount: true,
    actionLabel: 'Apply 3 changes',
    notices: [
      { text: '“Legacy Player Help” loses 2 of 10 videos.', weight: 'lost', isListed: true },
      { text: 'What “Autumn” holds now is not known: whatever it holds is replaced.', weight: 'lost' },
    ],
    onFailure: 'Each channel is read once more and sent alone. If the service refuses one, the others go on.',
    undo: { possible: 'partly', how: '“Legacy Player Help” and “Spring” can be set back; what “Autumn” held is not known.' },
    records: [
      {
        id: 'c1',
        name: 'Legacy Player Help',
        fields: [],
        lists: [
          { field: 'videoKeys', what: sentence`video`, before: legacy, after: legacy.filter((_, index) => index !== 0 && index !== 4) },
        ],
      },
      {
        id: 'c2',
        name: 'Webinars 2024 – Best of',
        fields: [
          { name: 'name', before: 'Webinars 2024 – Best of', after: 'Best of 2024' },
          { name: 'template', before: 'default', after: 'Dark' },
          { name: 'description', before: 'What we showed in 2024, all of it, in the order of the year.', after: '' },
        ],
        lists: [
          { field: 'videoKeys', what: sentence`video`, before: spring, after: [...spring.slice(-3), ...spring.slice(0, -3), keyOf(500)] },
        ],
      },
      { id: 'c3', name: 'Autumn', fields: [], lists: [{ field: 'videoKeys', what: sentence`video`, before: null, after: keys(4, 40) }] },
    ],
    titles: titlesFor([...spring, ...legacy, ...keys(4, 40)]),
    planDigest: 'digest-1',
    expiresAt: '2099-01-01T00:00:00.000Z',
    notes: [],
    canStop: false,
    canUndo: false,
    canResume: false,
    canRetry: false,
    ...overrides,
  };
}

function bulkChange(overrides: Partial<ChangeView> = {}): ChangeView {
  const ids = keys(4739);
  return {
    ...waitingChange(),
    changeId: 'ch_bulk',
    status: 'partly_applied',
    summary: 'Move 4,739 videos into “Archive”',
    notices: [],
    records: [],
    agreed: AGREED,
    notes: ['A file lists every video that failed.'],
    bulk: {
      total: ids.length,
      facts: ['From “Marketing”, as you say; that can’t be checked.', 'Into “Archive”.'],
      done: 4733,
      failedCount: 3,
      unknownCount: 3,
      failed: ids.slice(0, 3).map((id) => ({ id, reason: sentence`The service refused it twice, alone.` })),
      unknown: ids.slice(5, 8).map((id) => ({ id, reason: sentence`No response arrived. It may have been moved.` })),
      notSent: 0,
      ids,
    },
    titles: titlesFor(ids.slice(0, 3000)),
    canUndo: true,
    ...overrides,
  };
}

export function unknownChannel(overrides: Partial<ChannelView> = {}): ChannelView {
  return {
    id: 'c9',
    key: 'k9',
    name: 'Autumn',
    contents: 'What it holds is not known: the service doesn’t tell, and nobody has stated it.',
    seen: keys(25, 40),
    titles: Object.fromEntries(Object.entries(CATALOGUE_TITLES).slice(0, 64)),
    unknown: [],
    hasCatalogue: true,
    canState: true,
    ...overrides,
  };
}

const report = (): ReportView => ({
  reportId: 'r1',
  title: 'views, play_rate by video and country, February 2026',
  at: AT,
  columns: 'video_title country views play_rate watch_time'.split(' ').map((name) => ({ name, isPercent: name === 'play_rate' })),
  rows: keys(50).map((key, index) => [
    `${TOPICS[index % 5]} (part ${index + 1}) ${key}`,
    index % 7 === 0 ? null : 'DE',
    48_211 - index * 613,
    0.5123 + index / 300,
    1234.5 * (50 - index),
  ]),
  page: 1,
  pages: 39,
  total: 1915,
  hasChart: true,
  notes: ['Complete: all views of the time asked for that the service has are counted.', 'The unit of watch_time is not documented.'],
});

const standing: StandingView = {
  path: '/srv/video-hosting/approvals.json',
  problems: [],
  approvals: [
    {
      ...{ id: 'nightly-archive', agent: 'nightly', state: 'counts', until: '2026-12-01' },
      rules: [
        {
          text: asSentence(
            'nightly-archive: nightly may move videos into "Archive" (5f0c11aa), only those in /srv/lists/old.csv; at most 5,000 videos a day (Europe/Berlin), 500 in one change, 500,000 in all; until 2026-12-01 begins.',
          ),
          allows: asSentence(
            'move videos into "Archive" (5f0c11aa), only those in /srv/lists/old.csv; at most 5,000 videos a day (Europe/Berlin), 500 in one change, 500,000 in all',
          ),
          today: { used: 4_500, limit: 5_000 },
          inAll: { used: 61_480, limit: 500_000 },
          lastUse: AT,
        },
        {
          text: asSentence(
            'nightly-archive: nightly may change the name and description of "Webinars 2026" (7cd1); at most 5 channels a day (Europe/Berlin); until 2026-12-01 begins.',
          ),
          allows: asSentence('change the name and description of "Webinars 2026" (7cd1); at most 5 channels a day (Europe/Berlin)'),
          today: { used: 0, limit: 5 },
          inAll: { used: 0 },
        },
      ],
    },
    {
      ...{ id: 'summer', agent: 'nightly', state: 'ended', until: '2026-08-01' },
      rules: [
        {
          text: asSentence('summer: nightly may undo its own.'),
          allows: asSentence('undo its own'),
          today: { used: 0, limit: 3 },
          inAll: { used: 2 },
          lastUse: AT,
        },
      ],
    },
    {
      ...{ id: 'captions', agent: 'pipeline', state: 'revoked', until: '2026-12-24' },
      rules: [
        {
          text: asSentence('captions: pipeline may add videos.'),
          allows: asSentence('add videos'),
          today: { used: 3, limit: 500 },
          inAll: { used: 3 },
          lastUse: AT,
        },
      ],
    },
  ],
};

const AGREED = [
  { words: 'Asked through Codex', at: '2026-11-23T13:58:00.000Z' },
  { words: 'You agreed on the approval page', at: '2026-11-23T14:02:00.000Z' },
] as const;

export function fixtureData(): FixtureData {
  return {
    changes: [
      waitingChange(),
      waitingChange({
        changeId: 'ch_moved',
        summary: 'Rename “Winter” to “Winter 2026”',
        conflicts: ['“Winter” was renamed to “Winter, new” by somebody else.'],
        actionLabel: 'Rename 1 channel',
      }),
      waitingChange({
        changeId: 'ch_kept',
        summary: 'Change 3 channels, as nightly asked',
        asked: 'by nightly through Codex',
        kept: { why: '880 over today’s 5,000 of nightly-archive (move_videos).' },
        overtakes: ['ch_waiting', 'ch_moved'],
      }),
      waitingChange({
        changeId: 'ch_unplannable',
        summary: 'Rename “Gone” to “Gone again”',
        asked: 'by nightly through Codex',
        kept: {},
        problem: '"Gone" is gone, or this server’s key has no access to it any more, so nothing can be sent.',
        problemSteps: ['If it was deleted, turn this down: nothing is left of it.'],
        unfit: 'Can’t be applied now',
      }),
      bulkChange({
        ...{ changeId: 'ch_running', status: 'running', progress: { done: 1_200, total: 4_739, since: AT } },
        ...{ canStop: true, canUndo: false, notes: [] },
      }),
      bulkChange(),
      waitingChange({
        changeId: 'ch_applied',
        status: 'applied',
        summary: 'Rename “Spring” to “Summer”',
        agreed: AGREED,
        notes: ['Read back: all is as planned.'],
        canUndo: true,
        undoneBy: 'ch_undo',
      }),
      ...(['declined', 'withdrawn', 'expired', 'failed', 'stopped', 'interrupted'] as const).map((status) =>
        waitingChange({ changeId: `ch_${status}`, status, summary: `Change 3 channels (${status})`, outcome: `It is ${status}.` }),
      ),
    ],
    channels: [
      unknownChannel(),
      unknownChannel({ id: 'c10', name: 'Spring', contents: 'As it was stated on 3 August 2026.', isStated: true, videoKeys: keys(12) }),
      unknownChannel({ id: 'c11', name: 'Huge', contents: 'As last sent.', videoKeys: keys(5000), titles: titlesFor(keys(5000)) }),
    ],
    reports: [report()],
    standing,
  };
}
