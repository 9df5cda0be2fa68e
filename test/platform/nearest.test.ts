import { describe, expect, test } from 'vitest';
import { countriesLike } from '../../src/analytics/resolve/countries.ts';
import { mistyped, nearest } from '../../src/platform/nearest.ts';

const TOOLS = [
  'list_channels',
  'get_channel',
  'create_channels',
  'update_channels',
  'move_videos',
  'resume_change',
  'undo_change',
  'copy_cta',
];
const NAMES = [
  'Webinars 2024 – Best of',
  'Webinars 2024 – Spring',
  'Onboarding',
  'Onboarding for admins',
  'Customer Stories',
  'How-to',
  'Événements',
  '製品ウェビナー',
  'Series 1',
];
const ARGUMENTS = ['from', 'to', 'limit', 'channel', 'videoKeys', 'countries', 'groupBy', 'size'];

describe('what was probably meant is offered', () => {
  test.each([
    [TOOLS, 'move_video', 'move_videos'],
    [TOOLS, 'updateChannel', 'update_channels'],
    [TOOLS, 'bulk_move_videos', 'move_videos'],
    [TOOLS, 'cta', 'copy_cta'],
    [['init', 'import'], 'inti', 'init'],
    [['day', 'week'], 'dya', 'day'],
    [NAMES, 'webinr', 'Webinars 2024 – Spring'],
    [NAMES, 'best of webinars', 'Webinars 2024 – Best of'],
    [NAMES, ' Onboarding ', 'Onboarding'],
    [NAMES, 'the onboarding channel', 'Onboarding'],
    [NAMES, 'onbording', 'Onboarding'],
    [NAMES, 'customr storys', 'Customer Stories'],
    [NAMES, 'howto', 'How-to'],
    [['Windows', 'Mac OS X'], 'macos', 'Mac OS X'],
    [NAMES, 'evenments', 'Événements'],
    [NAMES, '製品', '製品ウェビナー'],
    [ARGUMENTS, 'channelId', 'channel'],
    [ARGUMENTS, 'pageSize', 'size'],
    [ARGUMENTS, 'video_keys', 'videoKeys'],
    [ARGUMENTS, 'toDate', 'to'],
  ])('of %j, %j is %j', (candidates, written, meant) => {
    expect(nearest(written, candidates, 1)).toEqual([meant]);
  });
});

describe('what is far off is not', () => {
  test.each([
    [TOOLS, 'delete_channel'],
    [TOOLS, 'rename_channel'],
    [TOOLS, 'list_videos'],
    [TOOLS, ''],
    [NAMES, 'Webinars 2023'],
    [NAMES, 'Marketing'],
    [NAMES, 'qqqqqqqq'],
    [NAMES, 'no such channel'],
    [NAMES, 'for the win'],
    [NAMES, 'ing'],
    [NAMES, 'c4a0f924d7f9fb8d429babc7'],
    [ARGUMENTS, 'top'],
    [ARGUMENTS, 'date'],
    [['today', 'last month'], 'monday'],
    [['today', 'last month'], 'next month'],
    [['floor', 'for'], 'foo'],
  ])('of %j, none is %j', (candidates, written) => {
    expect(nearest(written, candidates)).toEqual([]);
  });
});

test('the best come first: fewer letters away, then those with less besides', () => {
  expect(nearest('onboarding', [...NAMES].reverse())).toEqual(['Onboarding', 'Onboarding for admins']);
  expect(nearest('Webinarz 2025', ['Webinars 2024 – Best of', 'Webinars 2025'])).toEqual(['Webinars 2025']);
});

test('beside a list of all values only one that was mistyped is named', () => {
  const values = ['views', 'watch_time', 'avg_watch_time', 'unique_viewers'];
  expect(mistyped('viewers', values)).toBe('unique_viewers');
  expect(mistyped('veiws', values)).toBe('views');
  // A sum is not what was asked for.
  expect(mistyped('average_watch_time', values)).toBeUndefined();
});

test('a name that is nearly a country’s, in whatever language, is taken for it, and a part of one or a continent for none', () => {
  for (const [written, code] of [
    ['Polnd', 'PL'],
    ['Deutschlnd', 'DE'],
    ['Untied Kingdom', 'GB'],
    ['Bosnia', 'BA'],
  ] as const)
    expect(countriesLike(written)[0]).toBe(code);
  for (const written of [
    'Scotland',
    'England',
    'Northern Ireland',
    'Bavaria',
    'Texas',
    'Catalonia',
    'Africa',
    'Europe',
    'DACH',
    'Nordics',
    'EMEA',
    'xyzzy',
  ])
    expect([written, ...countriesLike(written)]).toEqual([written]);
});
