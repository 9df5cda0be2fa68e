import { type Sentence, sentence } from '../text/sentence.ts';

const MAX_ELEMENT_LENGTH = 1_048_576;

/** Bytes that are not one JSON array. The message is the rest of a sentence, such as `is empty`, and holds nothing of them. */
export class NotAnArray extends Error {
  declare readonly message: Sentence;
  constructor(message: Sentence) {
    super(message);
  }
}

/**
 * The elements of a JSON array that arrives in pieces, parsed one at a time, so that neither its text nor its values are held whole.
 * `scrub` gets the text of each before it is parsed. Throws `NotAnArray` for anything that is not exactly one array of JSON values.
 */
export async function* eachElement(
  chunks: AsyncIterable<Buffer>,
  scrub: (text: string) => string = (text) => text,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new NotAnArray(sentence`is not UTF-8 text`);
    }
  };
  const splitter = createSplitter(scrub);
  for await (const chunk of chunks) yield* splitter.push(decode(chunk));
  yield* splitter.push(decode());
  splitter.end();
}

interface Splitter {
  /** Takes a piece of text, and yields the elements that it completes. */
  push(text: string): Generator<unknown>;
  end(): void;
}

function createSplitter(scrub: (text: string) => string): Splitter {
  let position: 'before' | 'inside' | 'after' = 'before';
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let pending = '';
  let count = 0;

  /** Tracks strings and nesting. True where `code` ends an element. */
  function endsElement(code: number): boolean {
    if (escaped) escaped = false;
    else if (quoted) {
      if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth += 1;
    else if (depth > 0) depth -= code === CLOSE_BRACKET || code === CLOSE_BRACE ? 1 : 0;
    else return code === COMMA || code === CLOSE_BRACKET;
    return false;
  }

  function* elements(text: string): Generator<unknown> {
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (!endsElement(code)) continue;
      const element = (pending + text.slice(start, index)).trim();
      pending = '';
      start = index + 1;
      const emptyArray = element === '' && count === 0 && code === CLOSE_BRACKET;
      if (!emptyArray) yield parseElement(scrub(element));
      count += 1;
      if (code !== CLOSE_BRACKET) continue;
      position = 'after';
      return requireNothing(text.slice(start));
    }
    pending += text.slice(start);
    if (pending.length > MAX_ELEMENT_LENGTH) throw new NotAnArray(sentence`holds a record that is too long`);
  }

  return {
    *push(text) {
      let rest = text;
      if (position === 'before') {
        rest = text.trimStart();
        if (rest === '') return;
        if (!rest.startsWith('[')) throw new NotAnArray(rest.startsWith('<') ? sentence`is an HTML page` : sentence`is not a JSON array`);
        position = 'inside';
        rest = rest.slice(1);
      }
      if (position === 'inside') yield* elements(rest);
      else requireNothing(rest);
    },
    end() {
      if (position !== 'after') throw new NotAnArray(position === 'before' ? sentence`is empty` : sentence`is JSON that breaks off`);
    },
  };
}

function parseElement(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotAnArray(sentence`is not JSON`);
  }
}

function requireNothing(text: string): void {
  if (text.trim() !== '') throw new NotAnArray(sentence`goes on after its list`);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
