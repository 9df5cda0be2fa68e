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
    'both lists shown',
    { videoKeys: ['a'], projectKeys: ['p'] },
    { known: true, videoKeys: ['a'], projectKeys: ['p'], source: 'service', asOf: 'u' },
  ],
  [
    'both shown and empty',
    { videoKeys: [], projectKeys: [] },
    { known: true, videoKeys: [], projectKeys: [], source: 'service', asOf: 'u' },
  ],
  ['one shown, with something in it', { videoKeys: ['a'] }, { known: true, videoKeys: ['a'], source: 'service', asOf: 'u' }],
  ['one shown, empty', { videoKeys: [] }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['none shown', {}, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['null', { videoKeys: null, projectKeys: null }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['something that is no list', { videoKeys: 3 }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['a list that is not of keys', { videoKeys: [{ key: 'a' }] }, { known: true, videoKeys: ['sent'], source: 'journal', asOf: 'then' }],
  ['another version', { version: 4 }, { known: false, source: 'none' }],
  ['another time of update', { updated: 'v' }, { known: false, source: 'none' }],
  ['no version at all', { version: undefined }, { known: false, source: 'none' }],
])('%s', async (_name, fields, contents) => {
  expect(await contentsOf(channel(fields), SENT)).toEqual(contents);
});

test.each([
  [
    'all by a person’s word',
    {},
    STATED,
    { known: true, videoKeys: ['a'], projectKeys: [], source: 'stated', stated: ['videoKeys', 'projectKeys'], asOf: 'then' },
  ],
  [
    'one list by it',
    {},
    MIXED,
    { known: true, videoKeys: ['a'], projectKeys: [], source: 'journal', stated: ['projectKeys'], asOf: 'then' },
  ],
  [
    'one list shown, the other by it',
    { videoKeys: ['b'] },
    STATED,
    { known: true, videoKeys: ['b'], projectKeys: [], source: 'service', stated: ['projectKeys'], asOf: 'u' },
  ],
])('%s', async (_name, fields, sent, contents) => {
  expect(await contentsOf(channel(fields), sent)).toEqual(contents);
});
