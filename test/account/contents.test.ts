import { expect, test } from 'vitest';
import { contentsOf, type SentLookup } from '../../src/account/contents.ts';
import { ChannelSchema } from '../../src/service/resources/channels.ts';

const SENT: SentLookup = async (id, { version, updated }) =>
  id === 'c1' && version === 3 && updated === 'u' ? { videoKeys: ['sent'], at: 'then' } : undefined;

const STATED: SentLookup = async () => ({ videoKeys: ['a'], projectKeys: [], stated: ['videoKeys', 'projectKeys'], at: 'then' });
const MIXED: SentLookup = async () => ({ videoKeys: ['a'], projectKeys: [], stated: ['projectKeys'], at: 'then' });

const channel = (fields: object) => ChannelSchema.parse({ id: 'c1', version: 3, updated: 'u', ...fields });

const UNKNOWN = { known: false, source: 'none' };
const OF_JOURNAL = { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' };
const ofService = (lists: object) => ({ known: true, ...lists, source: 'service', asOf: 'u' });
const empty = { videoKeys: [], projectKeys: [] };

test.each([
  ['both lists', { videoKeys: ['a'], projectKeys: ['p'] }, ofService({ videoKeys: ['a'], projectKeys: ['p'] })],
  ['both lists, empty', empty, OF_JOURNAL],
  ['both lists, empty, of another version than the journal has', { ...empty, version: 4 }, UNKNOWN],
  ['both lists, one of them empty', { ...empty, projectKeys: ['p'] }, ofService({ videoKeys: [], projectKeys: ['p'] })],
  ['one list, not empty', { videoKeys: ['a'] }, ofService({ videoKeys: ['a'] })],
  ['one list, empty', { videoKeys: [] }, OF_JOURNAL],
  ['neither list', {}, OF_JOURNAL],
  ['null for both lists', { videoKeys: null, projectKeys: null }, OF_JOURNAL],
  ['a value that is not a list', { videoKeys: 3 }, OF_JOURNAL],
  ['a list of objects instead of keys', { videoKeys: [{ key: 'a' }] }, OF_JOURNAL],
  ['another version than the journal has', { version: 4 }, UNKNOWN],
  ['another time of update than the journal has', { updated: 'v' }, UNKNOWN],
  ['no version', { version: undefined }, UNKNOWN],
])('the source of the contents is right for a record with %s', async (_name, fields, contents) => {
  expect(await contentsOf(channel(fields), SENT)).toEqual(contents);
});

test.each([
  ['both lists', {}, STATED, { videoKeys: ['a'], source: 'stated', stated: ['videoKeys', 'projectKeys'], asOf: 'then' }],
  ['one list; the other is from the journal', {}, MIXED, { videoKeys: ['a'], source: 'journal', stated: ['projectKeys'], asOf: 'then' }],
  ['one list; the other is the service’s', { videoKeys: ['b'] }, STATED, { ...ofService({ videoKeys: ['b'] }), stated: ['projectKeys'] }],
])('contents that a person stated are marked as stated: %s', async (_name, fields, sent, contents) => {
  expect(await contentsOf(channel(fields), sent)).toEqual({ known: true, projectKeys: [], ...contents });
});
