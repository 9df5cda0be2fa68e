import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, hiddenCharacter } from '../../src/text/sanitize-text.ts';

const point = (code: number) => String.fromCodePoint(code);

describe('text from strangers', () => {
  test.each([
    ['a colour sequence', '\u001B[31mred\u001B[0m', 'red'],
    ['a C1 colour sequence', '\u009B31mred', 'red'],
    ['a hyperlink', '\u001B]8;;http://evil.example\u0007click\u001B]8;;\u0007', 'click'],
    ['a window title', '\u001B]0;title\u001B\\after', 'after'],
    ['an unfinished sequence', 'a\u001B', 'a'],
    ['a character set selection', '\u001B(0plain\u001B(B', 'plain'],
    ['C0 and C1 controls', 'a\u0000\u0008b\u0086c\u007F', 'abc'],
    ['line ends of every kind', 'a\r\nb\u2028c\u2029d\u0085e\tf\u000Bg', 'a b c d e f g'],
    ['an invisible character between two spaces, and one of them', 'a \u200B b', 'a b'],
    ['joiners after the eighth in a row of emoji', `👩${'\u200D👩'.repeat(9)}`, `👩${'\u200D👩'.repeat(8)}👩`],
    ['zero-width characters', 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf', 'abcdef'],
    ['bidi embeddings and isolates', '\u202Eabc\u202C\u2066def\u2069\u200F\u061C', 'abcdef'],
    ['tag characters', `hi${[...'ignore'].map((letter) => point(0xe0000 + letter.charCodeAt(0))).join('')}`, 'hi'],
    ['variation selectors', `a\uFE0Fb${point(0xe0100)}c${point(0xe01ef)}\u180Bd`, 'abcd'],
    ['soft hyphens', 'so\u00ADft', 'soft'],
    ['filler characters', 'a\u3164b\uFFA0c\u115Fd\u1160e\u2800f', 'abcde f'],
    ['interlinear annotation', '\uFFF9a\uFFFAb\uFFFBc\uFFFC', 'abc'],
    ['noncharacters and private use', `a\uFDD0b\uFFFFc${point(0x1fffe)}d\uE000e`, 'abcde'],
    ['lone surrogates', 'a\uD800b\uDC00c', 'a\uFFFDb\uFFFDc'],
    ['combining marks after the fourth on a letter', `Z${'\u0300'.repeat(50)}algo`, `Z${'\u0300'.repeat(4)}algo`],
  ])('loses %s', (_what, text, expected) => {
    expect(cleanText(text, 300)).toBe(expected);
  });

  test.each(['قائمة القنوات', 'עברית', '频道列表', 'かな と 漢字', 'naïve Zoë', 'ไทยดี', 'हिन्दी', '👩‍👩‍👧‍👦 🏳️‍🌈 ❤️ 👍🏽 1️⃣ 🇩🇪', '\u0600123'])(
    'keeps %s',
    (text) => {
      expect(cleanText(text, 300)).toBe(text);
    },
  );

  test('is cut between characters, never inside one', () => {
    expect(cleanText('abcdef', 4)).toBe('abc…');
    expect(cleanText('ab😀😀', 4)).toBe('ab…');
    expect(cleanText('abc', 0)).toBe('');
  });

  test('becomes bounded, one line and free of hidden characters, and a second cleaning changes nothing', () => {
    const units = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 0x3ff }), fc.integer({ min: 0x2000, max: 0x20ff }), fc.integer({ min: 0xd800, max: 0xffff })),
    );
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 50 }), (codes, length) => {
        const text = cleanText(String.fromCharCode(...codes), length);
        expect(text.length).toBeLessThanOrEqual(length);
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u200B\u202A-\u202E\u2066-\u2069\uFEFF]/u);
        expect(cleanText(text, length)).toBe(text);
      }),
    );
  });

  test('has a hidden character exactly where more than its white space is not shown', () => {
    const units = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 0x3ff }),
        fc.integer({ min: 0x2000, max: 0x20ff }),
        fc.integer({ min: 0xd800, max: 0xffff }),
        fc.constantFrom(0x1f469, 0x200d, 0xfe0f, 0x31, 0x20e3, 0xe0063, 0x3164, 0x20),
      ),
    );
    const visible = (text: string): string => text.replace(/[^\S\uFEFF]+|\u2800+/gu, '');
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCodePoint(...codes);
        const isShown = visible(cleanText(text, 100_000)) === visible(text) && !/[\p{Cc}\u2028\u2029]/u.test(text);
        expect(hiddenCharacter(text) === undefined).toBe(isShown);
      }),
      { numRuns: 2_000 },
    );
    expect(hiddenCharacter('first\nsecond', '\n')).toBeUndefined();
    expect(hiddenCharacter('first\u202Esecond', '\n')).toBe('U+202E');
  });

  test('is cleaned quickly even if it is built to be slow', () => {
    for (const piece of ['\u001B[', '\u009D', '\u001B]', 'a\u200D', '👩\u200D', '\u0300', ' \u200B', '\u001B[0;']) {
      expect(cleanText(piece.repeat(200_000), 10).length).toBeLessThanOrEqual(10);
      expect(hiddenCharacter(piece.repeat(200_000))).toBeDefined();
    }
  });
});
