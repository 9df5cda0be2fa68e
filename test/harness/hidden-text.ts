/** Finds characters in a server's output that are not safe to show. */

/** Controls except the line break, invisible and direction-changing characters, tags, lone surrogates, and spelt-out escapes. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\u{e0000}-\u{e0fff}]|\p{Cs}|\\u00[01][0-9a-f]|\\u20[0-9a-f]{2}|(?<!\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d/u;

/** Every text with such characters in lines of JSON, including field names. */
export function hiddenIn(lines: string): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string' && HIDDEN.test(value)) found.push(JSON.stringify(value.slice(0, 200)));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      walk(key);
      walk(inner);
    }
  };
  for (const line of lines.split('\n')) if (line !== '') walk(line.startsWith('{') ? JSON.parse(line) : line);
  return found;
}
