import { type Sentence, sentence } from '../text/sentence.ts';
/** Why a file that begins with these bytes can’t be read as text, in a sentence; undefined where it can. */
export function problemWithBytes(bytes: Uint8Array): Sentence | undefined {
  const beginsWith = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  if (WORKBOOKS.some(beginsWith)) return sentence`It is a spreadsheet’s own file (such as .xlsx) or another archive; save it as CSV.`;
  if (UTF_16.some(beginsWith)) return sentence`It is UTF-16 text; save it as UTF-8.`;
  return bytes.includes(0) ? sentence`It is not a text file.` : undefined;
}

/** A ZIP archive (.xlsx), or the OLE container of .xls. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
