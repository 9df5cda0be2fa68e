import { expect, test } from 'vitest';
import { contentsOf, type SentLookup } from '../../src/account/contents.ts';
import { ChannelSchema } from '../../src/service/resources/channels.ts';

const SENT: SentLookup = async (id, { version, updated }) =>
  id === 'c1' && version === 3 && updated === 'u' ? { videoKeys: ['sent'], at: 'then' } : undefined;

const STATED: SentLookup = async () => ({ videoKeys: ['a'], projectKeys: [], stated: ['videoKeys', 'projectKeys'], at: 'then' });
const MIXED: SentLookup = async () => ({ videoKeys: ['a'], projectKeys: [], stated: ['projectKeys'], at: 'then' });

const channel = (fields: object) => ChannelSchema.parse({ id: 'c1', version: 3, updated: 'u', ...fields });

test.each([
  [
    'both lists',
    { videoKeys: ['a'], projectKeys: ['p'] },
    { known: true, videoKeys: ['a'], projectKeys: ['p'], source: 'service', asOf: 'u' },
  ],
  ['both lists, empty', { videoKeys: [], projectKeys: [] }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  [
    'both lists, empty, of another version than the journal has',
    { videoKeys: [], projectKeys: [], version: 4 },
    { known: false, source: 'none' },
  ],
  [
    'both lists, one of them empty',
    { videoKeys: [], projectKeys: ['p'] },
    { known: true, videoKeys: [], projectKeys: ['p'], source: 'service', asOf: 'u' },
  ],
  ['one list, not empty', { videoKeys: ['a'] }, { known: true, videoKeys: ['a'], source: 'service', asOf: 'u' }],
  ['one list, empty', { videoKeys: [] }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['neither list', {}, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['null for both lists', { videoKeys: null, projectKeys: null }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['a value that is not a list', { videoKeys: 3 }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  [
    'a list of objects instead of keys',
    { videoKeys: [{ key: 'a' }] },
    { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' },
  ],
  ['another version than the journal has', { version: 4 }, { known: false, source: 'none' }],
  ['another time of update than the journal has', { updated: 'v' }, { known: false, source: 'none' }],
  ['no version', { version: undefined }, { known: false, source: 'none' }],
])('the source of the contents is right for a record with %s', async (_name, fields, contents) => {
  expect(await contentsOf(channel(fields), SENT)).toEqual(contents);
});

test.each([
  [
    'both lists',
    {},
    STATED,
    { known: true, videoKeys: ['a'], projectKeys: [], source: 'stated', stated: ['videoKeys', 'projectKeys'], asOf: 'then' },
  ],
  [
    'one list; the other is from the journal',
    {},
    MIXED,
    { known: true, videoKeys: ['a'], projectKeys: [], source: 'journal', stated: ['projectKeys'], asOf: 'then' },
  ],
  [
    'one list; the other is from the service',
    { videoKeys: ['b'] },
    STATED,
    { known: true, videoKeys: ['b'], projectKeys: [], source: 'service', stated: ['projectKeys'], asOf: 'u' },
  ],
])('contents that a person stated are marked as stated: %s', async (_name, fields, sent, contents) => {
  expect(await contentsOf(channel(fields), sent)).toEqual(contents);
});
