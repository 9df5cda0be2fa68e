/** Whether a file begins as spreadsheet programs’ own files do: a ZIP archive, or the container that came before it. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return STARTS.some((start) => start.every((byte, at) => bytes[at] === byte));
}

const STARTS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

export const WORKBOOK = 'It is a spreadsheet’s own file (such as .xlsx) or another archive; save it as CSV.';
