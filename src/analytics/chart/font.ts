import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bundle has the fonts beside the module; the sources use the package that they are copied from. */
const FOLDERS = [import.meta.dirname, join(import.meta.dirname, '../../../node_modules/dejavu-fonts-ttf/ttf')];

export const FONT_FAMILY = 'DejaVu Sans';

/** Width of a character relative to the font size; undefined if the font lacks the character. */
type Advance = (codePoint: number) => number | undefined;

function fontFile(name: string): string {
  const file = FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`The font ${name} is missing from the installation.`);
  return file;
}

export const FONT_FILES: readonly string[] = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(fontFile);

const [regular, bold] = FONT_FILES.map((file) => advanceOf(readFileSync(file))) as [Advance, Advance]; // as many as there are files

export const isCovered = (codePoint: number): boolean => [regular, bold].every((advance) => advance(codePoint) !== undefined);

/** Arabic letters are measured one by one and drawn joined. */
const JOINED = /\p{Script=Arabic}/u;
const JOINED_SHARE = 0.68;

/** Width of a text in pixels. Characters of other fonts count as square, which most of them are. */
export function widthOf(text: string, size: number, isBold = false): number {
  const advance = isBold ? bold : regular;
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += (advance(character.codePointAt(0) ?? 0) ?? 1) * (JOINED.test(character) ? JOINED_SHARE : 1);
  }
  return width * size;
}

/** Reads what measuring needs of a TrueType file: its character map (format 12) and the glyphs' advances. */
function advanceOf(file: Buffer): Advance {
  const tables = new Map<string, number>();
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const offset = 12 + index * 16;
    tables.set(file.toString('latin1', offset, offset + 4), file.readUInt32BE(offset + 8));
  }
  const table = (name: string): number => {
    const offset = tables.get(name);
    if (offset === undefined) throw new Error(`The font has no table ${name}.`);
    return offset;
  };
  const unitsPerEm = file.readUInt16BE(table('head') + 18);
  const metrics = file.readUInt16BE(table('hhea') + 34);
  const hmtx = table('hmtx');
  const groups = groupsOf(file, table('cmap'));
  return (codePoint) => {
    const group = groups.find(({ first, last }) => first <= codePoint && codePoint <= last);
    if (group === undefined) return undefined;
    const glyph = Math.min(group.glyph + codePoint - group.first, metrics - 1);
    return file.readUInt16BE(hmtx + glyph * 4) / unitsPerEm;
  };
}

interface Group {
  readonly first: number;
  readonly last: number;
  readonly glyph: number;
}

function groupsOf(file: Buffer, cmap: number): Group[] {
  for (let index = 0; index < file.readUInt16BE(cmap + 2); index += 1) {
    const offset = cmap + file.readUInt32BE(cmap + 4 + index * 8 + 4);
    if (file.readUInt16BE(offset) !== 12) continue;
    return Array.from({ length: file.readUInt32BE(offset + 12) }, (_, number) => {
      const group = offset + 16 + number * 12;
      return { first: file.readUInt32BE(group), last: file.readUInt32BE(group + 4), glyph: file.readUInt32BE(group + 8) };
    });
  }
  throw new Error('The font has no map of all characters.');
}
