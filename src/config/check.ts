import { type PlatformPath, posix, win32 } from 'node:path';
import { inFull } from '../text/counted.ts';
import { mistyped } from '../text/nearest.ts';
import { type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { readApiAddress } from './api-address.ts';
import { IN_MARKS, isInMarks } from './quotation-marks.ts';
import { SETTINGS, type SettingName, type SettingRow } from './settings.ts';
import { readStoreAddress } from './store-address.ts';

export const pathOf = (platform: NodeJS.Platform): PlatformPath => (platform === 'win32' ? win32 : posix);

type Checked = { readonly value: string } | { readonly problem: Sentence };

export const checkSetting = (name: SettingName, text: string): Checked => checkValue(SETTINGS[name], text, pathOf(process.platform));

/** The same for a row of the table, with the paths of a given system. */
export function checkValue(row: SettingRow, text: string, { delimiter, isAbsolute }: PlatformPath): Checked {
  const pasted = pastedProblem(row, text, delimiter);
  if (pasted !== undefined) return { problem: pasted };
  switch (row.kind) {
    case 'url': {
      const address = readApiAddress(text);
      return 'problem' in address ? address : { value: `${address.origin}${address.prefix}` };
    }
    case 'store': {
      const address = readStoreAddress(text);
      return 'problem' in address ? address : { value: text };
    }
    case 'switch':
      return checkSwitch(text);
    case 'choice': {
      const best = mistyped(text, row.choices);
      const hint = best === undefined ? sentence`` : sentence` Did you mean ${word(best)}?`;
      return row.choices.includes(text) ? { value: text } : { problem: sentence`must be one of ${wordList(row.choices)}.${hint}` };
    }
    case 'milliseconds':
      return /^\d{1,9}$/.test(text) && Number(text) >= row.min && Number(text) <= row.max
        ? { value: String(Number(text)) }
        : { problem: sentence`must be a whole number of milliseconds from ${row.min} to ${row.max}.` };
    case 'directories': {
      const parts = text.split(delimiter).filter((part) => part !== '');
      if (parts.some(beginsAtHome)) return { problem: HOME_NOT_EXPANDED };
      return parts.every((part) => isAbsolute(part))
        ? { value: text }
        : { problem: sentence`must hold absolute paths, separated by "${delimiter}".` };
    }
    case 'directory':
    case 'absolute-file':
      if (beginsAtHome(text)) return { problem: HOME_NOT_EXPANDED };
      return isAbsolute(text) ? { value: text } : { problem: sentence`must be an absolute path.` };
    case 'text':
      if (/^bearer\s/i.test(text)) return { problem: sentence`must be the credential alone, without the word Bearer before it.` };
      if (text.length > MAX_CREDENTIAL)
        return { problem: sentence`must have at most ${inFull(MAX_CREDENTIAL)} characters; this is something else.` };
      // A credential that no header can carry would fail on every call, with a message about headers.
      return /^[\x21-\x7e]+$/.test(text) ? { value: text } : { problem: sentence`must be printable ASCII without spaces.` };
    case 'file':
      return beginsAtHome(text) ? { problem: HOME_NOT_EXPANDED } : { value: text };
    case 'browser':
      if (/^(?:auto|none)$/i.test(text)) return { value: text.toLowerCase() };
      return /^(?:off|no|false|0)$/i.test(text)
        ? { problem: sentence`must be auto, none or a program. Did you mean none?` }
        : { value: text };
  }
}

/** Format characters, such as a byte order mark or a zero width space, and control characters. */
const INVISIBLE = /[\p{Cf}\p{Cc}\u00A0\u2028\u2029\u3164]/u;

/** What came along when a value was copied, which nobody sees there: without it the value would be refused with a reason that fits something else. */
function pastedProblem({ kind, isFree }: SettingRow, text: string, delimiter: string): Sentence | undefined {
  if (isFree === true) return undefined;
  // Names of folders may end in a mark, and hold what joins emoji.
  const beginnings = kind === 'directories' ? text.split(delimiter) : [text];
  const seen = PATHS.has(kind) ? beginnings.map((path) => path.slice(0, 1)) : [text];
  if (seen.some((part) => isInMarks(part))) return IN_MARKS;
  const [invisible] = seen.flatMap((part) => INVISIBLE.exec(part)?.[0] ?? []);
  if (invisible === undefined) return undefined;
  const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return sentence`holds a character that can’t be seen (U+${word(code)}): write it anew, without that.`;
}

const PATHS: ReadonlySet<SettingRow['kind']> = new Set(['directory', 'directories', 'file', 'absolute-file', 'browser']);

/** No header may be as long as the limits of servers on all of them, and what is masked is looked for in every text. */
const MAX_CREDENTIAL = 8_000;

/** A shell writes the home folder in full, where it is not in quotes; a client’s configuration and `--flag=~/folder` keep the sign. */
const beginsAtHome = (path: string): boolean => /^~(?:$|[\\/])/.test(path);
const HOME_NOT_EXPANDED = sentence`begins with ~, which means the home folder to a shell alone: write the path in full.`;

function checkSwitch(text: string): Checked {
  if (/^(1|true|on|yes)$/i.test(text)) return { value: 'on' };
  if (/^(0|false|off|no)$/i.test(text)) return { value: 'off' };
  return { problem: sentence`must be 1 or 0.` };
}
