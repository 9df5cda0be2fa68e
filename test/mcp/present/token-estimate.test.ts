import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateJsonTokens, estimateTextTokens, tokensAtMost } from '../../../src/mcp/present/token-estimate.ts';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }));

test('the quick bound of a text is never below its estimate', () => {
  fc.assert(fc.property(anyText, (text) => tokensAtMost(text) >= estimateTextTokens(text)));
});

test('the quick bound of a value’s JSON is never below its estimate', () => {
  const value = fc.jsonValue({ noUnicodeString: false });
  fc.assert(fc.property(value, (any) => tokensAtMost(JSON.stringify(any)) >= estimateJsonTokens(any)));
});

test('every unit on its own keeps to it', () => {
  for (let unit = 0; unit < 0x10000; unit += 1) {
    const text = String.fromCharCode(unit);
    if (estimateTextTokens(text) > tokensAtMost(text)) expect.fail(`U+${unit.toString(16)}`);
  }
});
