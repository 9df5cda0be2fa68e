/** What a pasted text or a file holds, before it is known what its values mean. */
export interface ReadList {
  /** One row for each line or entry that is not blank. All rows have the same number of cells. */
  readonly rows: readonly (readonly string[])[];
  /** The names of the columns where the first line gives them. */
  readonly header?: readonly string[];
  readonly blanks: number;
  /** How it was read, in words: `a table with 3 columns`. */
  readonly format: string;
}

const KINDS = {
  key: /^(video[\s_-]*)?keys?$/i,
  id: /^(video[\s_-]*)?ids?$/i,
  title: /^(video[\s_-]*)?(titles?|names?)$/i,
} as const;

const CHANNEL = /^channel([\s_-]*(id|key|name))?$/i;

/** The column that is named after keys, else after ids, else after titles. */
export function namedColumn(header: readonly string[]): number {
  for (const kind of Object.values(KINDS)) {
    const index = header.findIndex((name) => kind.test(name.trim()));
    if (index >= 0) return index;
  }
  return -1;
}

/**
 * Reads a list of videos, as below. Throws too where cells are below no name, or the videos of several channels are mixed.
 */
export function readList(text: string, isVideo: (text: string) => boolean): ReadList {
  const list = read(text, isVideo);
  const { rows, header } = list;
  const longer = header === undefined ? -1 : rows.findIndex((row) => row.some((cell, at) => cell !== '' && (header[at] ?? '') === ''));
  if (header !== undefined && header.length > 1 && longer >= 0)
    throw new Error(
      `Entry ${longer + 1} has more cells than the first line has names: a title with a comma needs quotes. Nothing was read.`,
    );
  const channel = header?.findIndex((name) => CHANNEL.test(name.trim())) ?? -1;
  const channels = new Set(channel < 0 ? [] : rows.map((row) => row[channel]).filter((name) => name !== ''));
  if (channels.size > 1) throw new Error(`The file has the lists of ${channels.size} channels. Nothing was read.`);
  return list;
}

/**
 * Reads a list of videos: JSON, a table (CSV, or cells that were copied from a spreadsheet), several in one line, or one a
 * line. `isVideo` tells a title with a comma in it from two cells. Throws an `Error` for people where it is none of these.
 */
function read(text: string, isVideo: (text: string) => boolean): ReadList {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (/^[[{]/.test(trimmed)) return readJson(trimmed);
  const lines = trimmed.split(/\r\n|\r|\n/);
  const filled = lines.filter((line) => line.trim() !== '');
  const delimiter = delimiterOf(filled, isVideo);
  if (delimiter === undefined) return oneALine(lines, filled, isVideo);
  const { rows, blanks } = readTable(trimmed, delimiter);
  const [first = []] = rows;
  if (rows.length === 1 && namedColumn(first) < 0) {
    const cells = first.filter((cell) => cell !== '');
    return { rows: cells.map((cell) => [cell]), blanks: first.length - cells.length, format: 'one line' };
  }
  return withHeader(rows, blanks, `a table with ${first.length} columns`);
}

function oneALine(lines: readonly string[], filled: readonly string[], isVideo: (text: string) => boolean): ReadList {
  const rows = filled.map((line) => [textIn(unquoted(line.trim()))]);
  const blanks = lines.length - filled.length;
  // A video may be called "Title".
  return isVideo(rows[0]?.[0] ?? '') ? { rows, blanks, format: 'one a line' } : withHeader(rows, blanks, 'one a line');
}

const unquoted = (text: string): string => /^"(.*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text;

function withHeader(rows: readonly (readonly string[])[], blanks: number, format: string): ReadList {
  const [first = [], ...rest] = rows;
  const isHeader = rest.length > 0 && namedColumn(first) >= 0;
  return isHeader ? { rows: rest, header: first, blanks, format } : { rows, blanks, format };
}

/** The text of a cell; an apostrophe keeps it from being a spreadsheet's formula in the files that this server writes. */
const textIn = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '');

/** What separates the cells; undefined where each line is one value. */
function delimiterOf(lines: readonly string[], isVideo: (text: string) => boolean): string | undefined {
  const [first = ''] = lines;
  const found = ['\t', ';', ','].find((delimiter) => first.includes(delimiter));
  if (found === undefined) return undefined;
  const sample = lines.slice(0, 50);
  const whole = sample.filter((line) => isVideo(unquoted(line.trim())));
  return whole.length * 2 > sample.length ? undefined : found;
}

/** CSV by RFC 4180, with any of the usual delimiters. */
function readTable(text: string, delimiter: string): { rows: string[][]; blanks: number } {
  const rows: string[][] = [];
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  const endRow = (): void => {
    row.push(textIn(cell));
    rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') [cell, isQuoted] = ['', true];
    else if (character === delimiter) {
      row.push(textIn(cell));
      cell = '';
    } else if (character === '\n' || (character === '\r' && text[index + 1] !== '\n')) endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) throw new Error('A quotation mark is left open, so the lines below it can’t be told apart. Nothing was read.');
  endRow();
  const filled = rows.filter((cells) => cells.some((one) => one !== ''));
  const columns = Math.max(...filled.map((cells) => cells.length));
  const padded = filled.map((cells) => [...cells, ...Array<string>(columns - cells.length).fill('')]);
  return { rows: padded, blanks: rows.length - filled.length };
}

function readJson(text: string): ReadList {
  const entries = jsonEntries(text);
  const odd = entries.findIndex((entry) => isObject(entry) !== isObject(entries[0]) || Array.isArray(entry));
  if (odd >= 0) throw new Error(`Entry ${odd + 1} is of another kind than the first. Nothing was read.`);
  const columns = [...new Set(entries.flatMap((entry) => (isObject(entry) ? Object.keys(entry) : [])))];
  if (columns.length === 0) {
    const cells = entries.map(textOf);
    return {
      rows: cells.filter((cell) => cell !== '').map((cell) => [cell]),
      blanks: cells.filter((cell) => cell === '').length,
      format: 'JSON',
    };
  }
  const rows = entries.map((entry) => columns.map((column) => textOf(isObject(entry) ? entry[column] : undefined)));
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  return { rows: filled, header: columns, blanks: rows.length - filled.length, format: 'JSON' };
}

/** An array, an object with an array in it, or one value a line. */
function jsonEntries(text: string): readonly unknown[] {
  const value = parsed(text);
  if (Array.isArray(value)) return value;
  if (isObject(value)) return listIn(value) ?? [value];
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const entry = parsed(line);
    if (entry === undefined) throw new Error(`Line ${index + 1} is not JSON. Nothing was read.`);
    return entry;
  });
}

/** The only list in an object, else the one that is named after videos. */
function listIn(value: Record<string, unknown>): readonly unknown[] | undefined {
  const lists = Object.entries(value).filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const named = namedColumn(lists.map(([name]) => name));
  if (lists.length > 1 && named < 0) throw new Error('The file has several lists, and none is named after videos. Nothing was read.');
  return lists[Math.max(0, named)]?.[1];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
function textOf(value: unknown): string {
  // The parser has rounded it to another video's number.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new Error(`A number near ${value} can’t be read exactly: put such numbers in quotes. Nothing was read.`);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}
