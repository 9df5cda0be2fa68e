import { expect, test } from 'vitest';
import { pluralOf } from '../../../src/changes/plan/channel-fields.ts';
import { sentence } from '../../../src/text/sentence.ts';

test('the plural of a field is its word with an s, where its row has no other', () => {
  expect(pluralOf({ word: sentence`template` })).toBe('templates');
  expect(pluralOf({ word: sentence`category`, plural: sentence`categories` })).toBe('categories');
});
