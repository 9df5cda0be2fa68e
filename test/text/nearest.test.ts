import { expect, test } from 'vitest';
import { countriesLike } from '../../src/analytics/resolve/countries.ts';
import { mistyped, nearest } from '../../src/text/nearest.ts';

const TOOLS = 'list_channels get_channel create_channels update_channels move_videos resume_change undo_change copy_cta'.split(' ');
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
const ARGUMENTS = 'from to limit channel videoKeys countries groupBy size'.split(' ');

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
])('a similar name is suggested among %j, for %j: %j', (candidates, written, meant) => {
  expect(nearest(written, candidates, 1)).toEqual([meant]);
});

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
])('a name that is too different is not suggested among %j, for %j', (candidates, written) => {
  expect(nearest(written, candidates)).toEqual([]);
});

test('suggestions are sorted by their distance, then by how little else they contain', () => {
  expect(nearest('onboarding', [...NAMES].reverse())).toEqual(['Onboarding', 'Onboarding for admins']);
  expect(nearest('Webinarz 2025', ['Webinars 2024 – Best of', 'Webinars 2025'])).toEqual(['Webinars 2025']);
});

test('mistyped finds only a value that was probably misspelt or shortened', () => {
  const values = ['views', 'watch_time', 'avg_watch_time', 'unique_viewers'];
  expect(mistyped('viewers', values)).toBe('unique_viewers');
  expect(mistyped('veiws', values)).toBe('views');
  // The sum `watch_time` is not what was asked for.
  expect(mistyped('average_watch_time', values)).toBeUndefined();
});

test('a misspelt or shortened country name is recognised, and the name of a region or continent is not', () => {
  for (const [written, code] of [
    ['Polnd', 'PL'],
    ['Deutschlnd', 'DE'],
    ['Untied Kingdom', 'GB'],
    ['Bosnia', 'BA'],
  ] as const)
    expect(countriesLike(written)[0]).toBe(code);
  const regions = 'Scotland, England, Northern Ireland, Bavaria, Texas, Catalonia, Africa, Europe, DACH, Nordics, EMEA, xyzzy';
  for (const written of regions.split(', ')) expect([written, ...countriesLike(written)]).toEqual([written]);
});
