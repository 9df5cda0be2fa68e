import { type PlatformPath, posix, win32 } from 'node:path';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { type Checked, kindOf, type SettingRow } from './kinds.ts';
import { IN_MARKS, isInMarks } from './quotation-marks.ts';
import { SETTINGS, type SettingName } from './settings.ts';

export const pathOf = (platform: NodeJS.Platform): PlatformPath => (platform === 'win32' ? win32 : posix);

export const checkSetting = (name: SettingName, text: string): Checked => checkValue(SETTINGS[name], text, pathOf(process.platform));

/** The same for a row of the table, with the paths of a given system. */
export function checkValue(row: SettingRow, text: string, path: PlatformPath): Checked {
  const pasted = pastedProblem(row, text, path);
  return pasted === undefined ? kindOf(row).check(text, row, path) : { problem: pasted };
}

/** Format characters, such as a byte order mark or a zero width space, and control characters. */
const INVISIBLE = /[\p{Cf}\p{Cc}\u00A0\u2028\u2029\u3164]/u;
/** What has none of them: most values, so that a start looks up no kinds of characters. */
const VISIBLE = /^[ -~]*$/;

/** What came along when a value was copied, which nobody sees there: without it the value would be refused with a reason that fits something else. */
function pastedProblem(row: SettingRow, text: string, path: PlatformPath): Sentence | undefined {
  if (row.isFree === true) return undefined;
  // Names of folders may end in a mark, and hold what joins emoji.
  const seen = kindOf(row)
    .paths?.(text, path)
    .map((one) => one.slice(0, 1)) ?? [text];
  if (seen.some((part) => isInMarks(part))) return IN_MARKS;
  const [invisible] = seen.flatMap((part) => (VISIBLE.test(part) ? [] : (INVISIBLE.exec(part)?.[0] ?? [])));
  if (invisible === undefined) return undefined;
  const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return sentence`holds a character that can’t be seen (U+${word(code)}): write it anew, without that.`;
}
