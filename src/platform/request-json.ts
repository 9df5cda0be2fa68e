import { parseJsonOrUndefined } from './parse-json.ts';

/** More than anything that is asked of us: to parse and to walk millions of levels or names takes seconds, in which nobody else is answered. */
const MAX_DEPTH = 64;
const MAX_NAMES = 20_000;
const BYTE_ORDER_MARK = '\uFEFF';

/** The value of a JSON text that somebody sent; undefined where it is not JSON, or has more levels, names or lists than any request. */
export function requestJson(text: string): unknown {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return isTooMuch(json) ? undefined : parseJsonOrUndefined(json);
}

function isTooMuch(json: string): boolean {
  let depth = 0;
  let names = 0;
  let lists = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      lists += 1;
      if (depth > MAX_DEPTH || lists > MAX_NAMES) return true;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ':') {
      names += 1;
      if (names > MAX_NAMES) return true;
    }
  }
  return false;
}
