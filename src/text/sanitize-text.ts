/** Terminal sequences: CSI, then the string kinds (OSC, DCS, SOS, PM, APC) with their end, then what is left of escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CSI = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/g;
const STRING_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D\u009E\u009F])[^\u0007\u001B\u0090\u0098\u009C\u009D\u009E\u009F]*(?:\u0007|\u001B\\|\u009C)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ESCAPE = /\u001B[ -/]*[0-~]/g;

/** White space of every kind, with NEL and the blank Braille pattern, which `\s` lacks, but without the BOM, which it has. */
const SPACES = /(?:[^\S\uFEFF]|[\u0085\u2800])+/gu;

/** An emoji with its joiners and selectors, or a keycap: the only places where invisible characters may stay. */
const EMOJI = String.raw`\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?`;
const KEPT = String.raw`${EMOJI}(?:\u200D${EMOJI}){0,8}|[0-9#*]\uFE0F?\u20E3`;

/**
 * Controls, formatting characters save the visible Arabic, Syriac and Kaithi signs among them, whatever Unicode calls
 * ignorable (zero-width, bidi controls, tags, variation selectors, fillers, soft hyphen, BOM), private use,
 * noncharacters and the object replacement.
 */
const VISIBLE_FORMAT = String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]`;
const HIDDEN = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFFC]`;
const keptOrHidden = pattern(`(${KEPT}|${VISIBLE_FORMAT})|${HIDDEN}`);

/** What `cleanText` takes out or replaces, but for white space, of which it makes one space; what it keeps is in the group. */
const keptOrNotShown = pattern(String.raw`(${KEPT}|${VISIBLE_FORMAT})|${HIDDEN}|[\p{Cs}\p{Zl}\p{Zp}]|(?<=\p{M}{4})\p{M}`);

/** Made when first needed: to look up its kinds of characters takes a millisecond of each start. */
function pattern(source: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, 'gu');
    return made;
  };
}

/** What nothing has to be done to: most names, keys and ids. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const MARK_FLOOD = /(\p{M}{4})\p{M}+/gu;

/** Hidden characters for each visible one that are looked through. */
const MAX_HIDDEN = 16;

/**
 * Text that strangers wrote, made safe to show: one line, no control, invisible, direction-changing or terminal
 * characters, no lone surrogates (they become U+FFFD), at most `maxLength` UTF-16 units with `…` for what was cut.
 * Emoji and ordinary text of any script stay; a zero-width non-joiner does not.
 */
export function cleanText(text: string, maxLength: number): string {
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  // What is far past the end can't be shown; cleaning megabytes of it would take a second.
  const visible = text
    .slice(0, maxLength * MAX_HIDDEN + 4_096)
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(CSI, '')
    .replace(STRING_SEQUENCE, '')
    .replace(ESCAPE, '')
    .replace(SPACES, ' ')
    .replace(keptOrHidden(), '$1')
    .replace(MARK_FLOOD, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
  return cut(visible, maxLength);
}

/**
 * The first character of a text that `cleanText` does not show, as `U+202E`; undefined where all of it is shown. White space that
 * is no control character is shown as a space; `allowed` has the control characters that may stand in this text.
 */
export function hiddenCharacter(text: string, allowed = ''): string | undefined {
  if (PLAIN.test(text)) return undefined;
  for (const [character, kept] of text.matchAll(keptOrNotShown()))
    if (kept === undefined && !allowed.includes(character))
      return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return undefined;
}

/** A text as it looks, so that two that can't be told apart by eye are equal. */
export const asItLooks = (text: string): string => cleanText(text, 10_000).normalize('NFC');

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  if (maxLength < 1) return '';
  // Neither half a character nor a joiner with nothing to join may end it.
  const head = text.slice(0, maxLength - 1).replace(/[\p{Cs}\u200D]+$/u, '');
  return `${head.trimEnd()}…`;
}

const EMAIL_ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const IPV4_ADDRESS = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)/g;
/** Of somebody who uses a server for several people. */
const PERSONS_SECRET = /vh[mp]_[\w-]*/g;
const IPV6_ADDRESS = /(?<![\w:])(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;

/** Text without what tells who somebody is: email and IP addresses. For short texts: it may take the square of their length. */
export function withoutPersonal(text: string): string {
  return text
    .replace(PERSONS_SECRET, '[credential]')
    .replace(EMAIL_ADDRESS, '[email]')
    .replace(IPV4_ADDRESS, '[address]')
    .replace(IPV6_ADDRESS, '[address]');
}
