import { parseJsonOrUndefined } from './parse-json.ts';

/** More than anything that is asked of us: to parse and to walk millions of levels or names takes seconds, in which nobody else is answered. */
const MAX_DEPTH = 64;
const MAX_NAMES = 20_000;
const MAX_ENTRIES = 150_000;
const BYTE_ORDER_MARK = '\uFEFF';

/** The value of a JSON text that somebody sent; undefined where it is not JSON, or has more levels, names, lists or entries than any request. */
export function requestJson(text: string): unknown {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return isTooMuch(json) ? undefined : parseJsonOrUndefined(json);
}

/** Texts are passed over whole: a list of ids is nothing else, and to look at each of its characters takes three times as long as to parse it. */
function isTooMuch(json: string): boolean {
  let depth = 0;
  let names = 0;
  let lists = 0;
  let entries = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') {
      index = endOfText(json, index);
      if (index < 0) return false;
    } else if (character === '[' || character === '{') {
      depth += 1;
      lists += 1;
      if (depth > MAX_DEPTH || lists > MAX_NAMES) return true;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') {
      entries += 1;
      if (entries > MAX_ENTRIES) return true;
    } else if (character === ':') {
      names += 1;
      if (names > MAX_NAMES) return true;
    }
  }
  return false;
}

/** Where the text ends that begins at a quotation mark; -1 where it does not, which is no JSON. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote;
  while (json[at - 1] === '\\') at -= 1;
  return (quote - at) % 2 === 1;
}
