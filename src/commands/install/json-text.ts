/**
 * Changes to JSON with comments that leave every other byte alone. They take and answer whole texts. The library's own
 * `modify` was tried: it moves the comment behind somebody's last server to ours, lays the neighbours out anew where they
 * are on one line, takes comments out with a member, and changes the first of two members of one name, not the one that counts.
 */
import { createScanner, type Node } from 'jsonc-parser';

/** The scanner's kinds of token, as its documentation numbers them; its own enum only exists for its compiler. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15, end: 17 } as const;
const COMMENTS: readonly number[] = [TOKEN.lineComment, TOKEN.blockComment];

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);
const endOf = ({ offset, length }: Node): number => offset + length;
const childrenOf = ({ children = [] }: Node): readonly Node[] => children;

const splice = (text: string, from: number, to: number, put: string): string => text.slice(0, from) + put + text.slice(to);

/** How a document is laid out: what it indents with and ends its lines with. */
function styleOf(text: string, root: Node) {
  const eol = /\r\n|\n|\r/.exec(text)?.[0];
  const first = root.children?.map(({ offset }) => indentAt(text, offset)).find((indent) => indent !== undefined && indent !== '');
  return { eol: eol ?? '\n', unit: first ?? '  ', oneLine: !/[\r\n]/.test(text.trim()) && (root.children?.length ?? 0) > 0 };
}

/** The white space before something that is the first on its line. */
function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return isBlank(before) ? before : undefined;
}

const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;

/** What white space and comments begin at a place: the offset of the comma behind them, and where the line's own comments end. */
function behind(text: string, from: number): { readonly comma: number | undefined; readonly lineEnd: number } {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let lineEnd: number | undefined;
  let end = from;
  for (;;) {
    const kind: number = scanner.scan();
    if (kind === TOKEN.lineBreak) lineEnd ??= end;
    else if (COMMENTS.includes(kind)) end = scanner.getTokenOffset() + scanner.getTokenLength();
    else if (kind !== TOKEN.space) return { comma: kind === TOKEN.comma ? scanner.getTokenOffset() : undefined, lineEnd: lineEnd ?? end };
  }
}

/** The text of a value, laid out for a place. */
function valueText(value: unknown, { eol, unit, indent }: { eol: string; unit: string; indent: string }): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

/** Adds a value at the end of an object (with its key) or of a list. */
export function append(text: string, root: Node, container: Node, value: unknown, key?: string): string {
  const { eol, unit, oneLine } = styleOf(text, root);
  const name = key === undefined ? '' : JSON.stringify(key);
  const inside = text.slice(container.offset + 1, endOf(container) - 1);
  const last = childrenOf(container).at(-1);
  const compact = (key === undefined ? '' : `${name}:`) + JSON.stringify(value);
  if (last !== undefined && !/[\r\n]/.test(inside)) {
    const blank = /^\s/.test(inside) || text.slice(last.offset - 1, last.offset) === ' ' ? ' ' : '';
    return splice(text, endOf(last), endOf(last), `,${blank}${compact}`);
  }
  if (oneLine) return splice(text, container.offset + 1, container.offset + 1, compact);
  const base = /^[ \t]*/.exec(text.slice(lineStart(text, container.offset)))?.[0] ?? '';
  const beside = childrenOf(container).map(({ offset }) => indentAt(text, offset));
  const indent = beside.find((one) => one !== undefined) ?? base + unit;
  const line = eol + indent + (key === undefined ? '' : `${name}: `) + valueText(value, { eol, unit, indent });
  if (last === undefined) {
    const { lineEnd } = behind(text, container.offset + 1);
    const close = /[\r\n]/.test(text.slice(lineEnd, endOf(container) - 1)) ? '' : eol + base;
    return splice(text, lineEnd, lineEnd, line + close);
  }
  const { comma } = behind(text, endOf(last));
  if (comma !== undefined) {
    const { lineEnd } = behind(text, comma + 1);
    return splice(text, lineEnd, lineEnd, `${line},`);
  }
  const { lineEnd } = behind(text, endOf(last));
  return splice(splice(text, lineEnd, lineEnd, line), endOf(last), endOf(last), ',');
}

/** Puts another value in a value's place. */
export function replace(text: string, root: Node, node: Node, value: unknown): string {
  const { eol, unit } = styleOf(text, root);
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, node.offset)))?.[0] ?? '';
  const multiLine = /[\r\n]/.test(text.slice(node.offset, endOf(node)));
  const put = multiLine ? valueText(value, { eol, unit, indent }) : JSON.stringify(value);
  return splice(text, node.offset, endOf(node), put);
}

/** Takes a member out of its object or list. Comments stay. */
export function remove(text: string, container: Node, member: Node): string {
  const members = childrenOf(container);
  const at = members.indexOf(member);
  const own = behind(text, endOf(member)).comma;
  const before = members[at - 1];
  // Without a comma of its own it is the last, and the one before needs none either.
  const comma = own ?? (before === undefined ? undefined : behind(text, endOf(before)).comma);
  let result = text;
  let [from, to] = [member.offset, endOf(member)];
  if (comma !== undefined && comma >= to) {
    if (isBlank(result.slice(to, comma))) to = comma + 1;
    else result = splice(result, comma, comma + 1, '');
  }
  [from, to] = withWhiteSpace(result, from, to);
  result = splice(result, from, to, '');
  if (comma !== undefined && comma < member.offset) result = splice(result, comma, comma + 1, '');
  const end = endOf(container) - 1 - (text.length - result.length);
  const inside = result.slice(container.offset + 1, end);
  return inside.trim() === '' ? splice(result, container.offset + 1, end, '') : result;
}

/** A stretch with the white space that belongs to it: its whole lines, if nothing else is on them. */
function withWhiteSpace(text: string, from: number, to: number): [number, number] {
  const start = lineStart(text, from);
  const rest = /^[^\r\n]*/.exec(text.slice(to))?.[0] ?? '';
  if (!isBlank(text.slice(start, from))) return [start + text.slice(start, from).trimEnd().length, to];
  const eol = /(\r\n|\n|\r)$/.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;
  if (isBlank(rest)) return [start - eol, to + rest.length];
  const lineBefore = text.slice(lineStart(text, start - eol), start);
  // What closes the container moves up, unless there might be a comment that would swallow it.
  if (/^\s*[}\]]/.test(rest) && !lineBefore.includes('//')) return [start - eol, to];
  return [from, to + (/^[ \t]*/.exec(rest)?.[0].length ?? 0)];
}

/** All comments, in order. */
export function commentsOf(text: string): string[] {
  const scanner = createScanner(text);
  const comments: string[] = [];
  let kind: number = scanner.scan();
  while (kind !== TOKEN.end) {
    const at = scanner.getTokenOffset();
    if (COMMENTS.includes(kind)) comments.push(text.slice(at, at + scanner.getTokenLength()));
    kind = scanner.scan();
  }
  return comments;
}
