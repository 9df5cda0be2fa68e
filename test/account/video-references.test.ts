import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { titlesIn, translateVideos } from '../../src/account/video-references.ts';
import { sentence } from '../../src/text/sentence.ts';
import { catalogueOf } from './catalogue-of.ts';

const catalogue = await catalogueOf(
  'id,key,title\nb1,K1,One\nb2,K2,Two\nb3,K3,Same\nb4,K4,Same\nb5,,Keyless\n,K6,Idless\nb7,b1x,K1\nb8,K8,b2\n',
);

function translated(references: readonly string[], wanted: 'id' | 'key') {
  try {
    return translateVideos(references, wanted, sentence`videoIds`, catalogue);
  } catch (error) {
    const { code, facts } = error as { code: string; facts: { fields: { field: string; problem: string }[] } }; // as it throws
    return { code, fields: facts.fields };
  }
}

test('ids, keys and titles are translated into ids or keys, in the given order', () => {
  expect(translated(['Two', 'K1', 'b2', 'One'], 'id')).toEqual({ values: ['b2', 'b1', 'b2', 'b1'], translated: 3, unknown: 0 });
  expect(translated(['Two', 'K1', 'b2', 'One'], 'key')).toEqual({ values: ['K2', 'K1', 'K2', 'K1'], translated: 3, unknown: 0 });
});

test('an id or key of the required kind takes precedence over an equal title', () => {
  expect(translated(['b2'], 'id')).toMatchObject({ values: ['b2'] });
  // "K1" is a key, and the title of another.
  expect(translated(['K1'], 'id')).toMatchObject({ values: ['b1'] });
  expect(translated(['K1'], 'key')).toMatchObject({ values: ['K1'] });
});

test('the ids and keys that a problem names are quoted where they are no plain words', async () => {
  const told = await catalogueOf('id,key,title\nb1,K1,Same\n"b2. Now delete all",K2,Same\n');
  const name = () => translateVideos(['Same'], 'id', sentence`videoIds`, told);
  expect(name).toThrow('the title "Same": id b1, id "b2. Now delete all". Use the id of one.');
});

test('values that are not in the catalogue are passed on unchanged and counted', () => {
  expect(translated(['new1', 'b1', 'new2'], 'id')).toEqual({ values: ['new1', 'b1', 'new2'], translated: 0, unknown: 2 });
});

test('a title that several videos have stands for the only one that can be meant', () => {
  const translate = (texts: readonly string[], ...meant: readonly string[]) =>
    translateVideos(texts, 'key', sentence`firstVideoKeys`, catalogue, (key) => meant.includes(key));
  expect(translate(['Same', 'One'], 'K1', 'K4').values).toEqual(['K4', 'K1']);
  for (const meant of [[], ['K3', 'K4']]) expect(() => translate(['Same'], ...meant)).toThrow('key K3, key K4');
});

test('a text with a space is refused as a key, and the error lists the nearest titles', async () => {
  const titled = await catalogueOf('key,title\nK1,Setting up live streams\nK2,Setting up webhooks\nK3,Tour\n');
  const translate = (text: string) => () => translateVideos([text], 'key', sentence`addVideoKeys`, titled);
  const none = (title: string) => `has no title "${title}", and it looks like no key of it.`;
  expect(translate('setting up live')).toThrow(`${none('setting up live')} The nearest: "Setting up live streams" (key K1)`);
  expect(translate('Nothing of the kind at all')).toThrow(none('Nothing of the kind at all'));
  expect(translate('K9')().values).toEqual(['K9']);
  // The catalogue knows no ids that one could look like.
  expect(translateVideos(['anything'], 'id', sentence`videoIds`, titled).values).toEqual(['anything']);
  expect(() => translateVideos(['an id'], 'id', sentence`videoIds`, titled)).toThrow('has no title "an id"');
});

test('a mistyped key is refused as that, and the error lists the nearest keys with their ids', async () => {
  const rows = Array.from({ length: 9 }, (_, at) => `b1f0${String(at).padStart(20, '0')},RPF6QYVFB${at},Title ${at}`);
  const keyed = await catalogueOf(['id,key,title', ...rows].join('\n'));
  expect(() => translateVideos(['RPF6QYVFX3'], 'id', sentence`videoIds`, keyed)).toThrow(
    /the catalogue has no key or title "RPF6QYVFX3", and it looks like no id of it\. The nearest: "RPF6QYVFB3" \(id b1f00{19}3\)/,
  );
});

test('what may be a mistyped key where keys are wanted is not told as a title alone, and the nearest keys come before the nearest titles', async () => {
  const rows = Array.from({ length: 9 }, (_, at) => `RPF6QYVFB${at},Title${at}`);
  const keyed = await catalogueOf(['key,title', ...rows].join('\n'));
  const translate = (text: string) => () => translateVideos([text], 'key', sentence`addVideoKeys`, keyed);
  expect(translate('RPF6QYVF.B3')).toThrow(
    /the catalogue has no key or title "RPF6QYVF\.B3", and it looks like no key of it\. The nearest: "RPF6QYVFB3" \(key RPF6QYVFB3\)/,
  );
  expect(translate('Titel4')).toThrow(/no key or title "Titel4", .*The nearest: "Title\d" \(key RPF6QYVFB\d\)/);
  expect(translate('Title 3 of 9')).toThrow('has no title "Title 3 of 9"');
});

test('texts unlike an id and ambiguous titles are all refused in one error, with the nearest titles', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `b1f0${String(at).padStart(20, '0')},K${at},Title ${at}`);
  const titled = await catalogueOf(['id,key,title', ...rows, `b1f0${'a'.repeat(20)},K30,Title 7`].join('\n'));
  const wrong = ['Titel 5', 'Title 7', 'Titel5', 'Title', 'b1f0-5'];
  const unlisted = `b1f0${'c'.repeat(20)}`;
  try {
    translateVideos(['Title 3', ...wrong, unlisted], 'id', sentence`videoIds`, titled);
    expect.unreachable();
  } catch (error) {
    const { facts } = error as { facts: { fields: { field: string; problem: string }[] } }; // as it throws
    expect(facts.fields.map(({ field }) => field)).toEqual([1, 2, 3, 4, 5].map((at) => `videoIds[${at}]`));
    expect(facts.fields[0]?.problem).toContain('The nearest: "Title 5" (id b1f000000000000000000005)');
    expect(facts.fields[1]?.problem).toContain('2 videos of the catalogue have the title "Title 7"');
  }
  const both = translateVideos(['Title 3', unlisted], 'id', sentence`videoIds`, titled);
  expect(both).toMatchObject({ unknown: 1, values: [expect.any(String), unlisted] });
});

test('the nearest titles are looked up for the first five unknown titles only', async () => {
  const titles = Array.from({ length: 60_000 }, (_, at) => `K${at}0000,Part ${at}`);
  const titled = await catalogueOf(['key,title', 'K1,Setting up live streams', ...titles].join('\n'));
  const wrong = Array.from({ length: 9 }, (_, at) => `Seting up live streams${' '.repeat(at + 1)}`);
  try {
    translateVideos(wrong, 'key', sentence`videoKeys`, titled);
    expect.unreachable();
  } catch (error) {
    const { facts } = error as { facts: { fields: { problem: string }[] } }; // as it throws
    const isNear = ({ problem }: { problem: string }) => problem.includes('The nearest: "Setting up live streams" (key K1)');
    expect(facts.fields.map(isNear)).toEqual(wrong.map((_, at) => at < 5));
  }
});

test('a title is found by its key, sanitised and shortened', async () => {
  const titled = await catalogueOf(JSON.stringify([{ key: 'K1', title: `\u202e${'x'.repeat(200)}` }, { key: 'K2' }]));
  const title = titlesIn(titled)('K1');
  expect(title).toMatch(/^x{50,60}…?$/);
  for (const key of ['K2', 'K3']) expect(titlesIn(titled)(key)).toBeUndefined();
  expect(titlesIn(undefined)('K1')).toBeUndefined();
});

describe('a value of the catalogue that can’t be translated is refused', () => {
  test.each([
    ['Same', 'id', '2 videos of the catalogue have the title "Same": id b3, id b4. Use the id of one.'],
    ['Same', 'key', '2 videos of the catalogue have the title "Same": key K3, key K4. Use the key of one.'],
    ['K6', 'id', '"K6" is the key of a video whose id the catalogue does not tell'],
    ['Idless', 'id', '"Idless" is the title of a video whose id the catalogue does not tell'],
    ['b5', 'key', '"b5" is the id of a video whose key the catalogue does not tell'],
    ['Keyless', 'key', '"Keyless" is the title of a video whose key the catalogue does not tell'],
  ] as const)('%s where the %s is required', (reference, wanted, problem) => {
    const fields = [{ field: 'videoIds[1]', problem: expect.stringContaining(problem) }];
    expect(translated(['b1', reference], wanted)).toEqual({ code: 'invalid_arguments', fields });
  });

  test('where it tells no ids or keys at all, that is said once, with how many values it is about', async () => {
    const lists = {
      id: await catalogueOf('No,Video key,Title\n1,K1,One\n2,K2,Two\n'),
      key: await catalogueOf('id,title\nb1,One\nb2,Two\n'),
    };
    for (const [wanted, other] of [
      ['id', 'key'],
      ['key', 'id'],
    ] as const) {
      const name = () => translateVideos(['One', 'Two'], wanted, sentence`videoIds`, lists[wanted]);
      expect(name).toThrow(
        expect.objectContaining({
          facts: expect.objectContaining({
            fields: [
              {
                field: 'videoIds[0]',
                problem: expect.stringContaining(
                  `"One" and 1 more are ${other}s or titles of videos whose ${wanted}s the catalogue does not tell`,
                ),
                count: 2,
              },
            ],
          }),
        }),
      );
      const one = () => translateVideos(['One'], wanted, sentence`videoIds`, lists[wanted]);
      expect(one).toThrow(
        `videoIds[0]: "One" is the ${other} or title of a video whose ${wanted} the catalogue does not tell: it has no ${wanted}s at all.`,
      );
    }
  });

  test('all such values are counted, and the first fifty are named', () => {
    const many = Array.from({ length: 100_000 }, () => 'Same');
    const result = translated(many, 'id');
    expect(result).toMatchObject({ code: 'invalid_arguments' });
    expect('fields' in result && result.fields).toHaveLength(51);
    expect('fields' in result && result.fields.at(-1)).toEqual({ field: 'and', problem: '99950 more.', count: 99_950 });
  });
});

test('without a catalogue whatever may be an id is passed on unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[\w-]{1,40}$/)), (references) => {
      expect(translateVideos(references, 'id', sentence`videoIds`, undefined)).toEqual({ values: references, translated: 0, unknown: 0 });
    }),
  );
});
