import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  format,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isObject } from '../../platform/is-object.ts';
import { inQuotes, sentence } from '../../text/sentence.ts';
import { type ClientInput, type ConfigDocument, ownInputsIn, SERVER, type ServerEntry, unusableConfig } from './document.ts';

const INPUTS = 'inputs';

/** A configuration in JSON, with or without comments and trailing commas. */
export function openJson(text: string, key: string): ConfigDocument {
  const root = rootOf(text);
  checkShape(text, root, key);
  const entry = valueAt(root, [key, SERVER]);
  return {
    entry: isObject(entry) ? entry : undefined,
    with(wanted, inputs) {
      const start = root === undefined ? `${text}${/[^\r\n]$/.test(text) ? '\n' : ''}{}\n` : text;
      const added = inputs.reduce(withInput, withMembers(start, [key, SERVER], wanted));
      if (!isObject(entry)) return added;
      // What starts a program and what leads to an address have no fields in common; else what people added stays.
      const isOther = typeof entry.command !== typeof wanted.command;
      const gone = isOther ? Object.keys(entry).filter((name) => !(name in wanted)) : [];
      const left = gone.reduce((result, name) => withoutMember(result, [key, SERVER, name]), added);
      return ownInputsIn(entry).reduce(withoutInput, left);
    },
    without: (inputIds) => inputIds.reduce(withoutInput, withoutMember(text, [key, SERVER])),
  };
}

/** The root of the text; undefined where there is nothing but white space and comments. */
function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) throw unusableConfig(sentence`it is not valid JSON (${printParseErrorCode(error.error)}).`, text, error.offset);
  if (root !== undefined && root.type !== 'object') throw unusableConfig(sentence`it should hold an object.`, text, root.offset);
  return root;
}

function checkShape(text: string, root: Node | undefined, key: string): void {
  for (const path of [[key], [key, SERVER], [INPUTS]]) {
    const node = root && findNodeAtLocation(root, path);
    const expected = path[0] === INPUTS ? 'array' : 'object';
    if (node === undefined || node.type === expected) continue;
    const problem = sentence`${inQuotes(path.at(-1) ?? '')} should hold ${expected === 'array' ? 'a list' : 'an object'}.`;
    throw unusableConfig(problem, text, node.offset);
  }
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function valueAt(root: Node | undefined, path: readonly string[]): unknown {
  const node = root && findNodeAtLocation(root, [...path]);
  return node && plain(getNodeValue(node));
}

/** Sets these members of an object, creating it if it is absent. Other members of it stay. */
function withMembers(text: string, path: readonly string[], members: ServerEntry): string {
  const existing = valueAt(rootOf(text), path);
  if (!isObject(existing)) return withValue(text, [...path], members);
  return Object.entries(members).reduce((result, [name, value]) => {
    if (isDeepStrictEqual(existing[name], plain(value))) return result;
    const isMerged = isObject(existing[name]) && isObject(value);
    return isMerged ? withMembers(result, [...path, name], value) : withValue(result, [...path, name], value);
  }, text);
}

/** Sets one value. Only what is new is laid out: the library would lay out the lines around it too. */
function withValue(before: string, path: JSONPath, value: unknown): string {
  const behind = behindComment(before, path, value);
  const { text, edits } = behind ?? { text: before, edits: modify(before, path, value, {}) };
  const indent = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  return edits.reduce((last, edit) => {
    const after = applyEdits(last, [edit]);
    // From the bracket or comma before it to the one after, which is not touched where a comment stands before.
    const range = { offset: Math.max(0, edit.offset - 1), length: edit.content.length + (edit === behind?.edits[0] ? 1 : 2) };
    return applyEdits(after, format(after, range, { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length }));
  }, text);
}

const BLOCKS = '(?:[ \\t]*/\\*(?:(?!\\*/)[^\\r\\n])*\\*/)*';
/** What stands behind an item in its line: a comma, and comments of it. */
const BEHIND = new RegExp(`^${BLOCKS}(?:[ \\t]*(,))?${BLOCKS}(?:[ \\t]*//[^\\r\\n]*)?`);

/**
 * How a value is added at the end of an object or list whose last item has a comment behind it, which stays there: `modify` would put
 * the value between the two. Undefined where there is no such comment, or nothing is added at an end.
 */
function behindComment(
  text: string,
  path: JSONPath,
  value: unknown,
): { readonly text: string; readonly edits: readonly Edit[] } | undefined {
  const root = rootOf(text);
  const depth = path.findLastIndex((_, index) => nodeAt(root, path.slice(0, index)) !== undefined);
  const container = nodeAt(root, path.slice(0, depth));
  const last = container?.children?.at(-1);
  const [name, ...inner] = path.slice(depth);
  if (container === undefined || last === undefined || name === undefined) return undefined;
  if (typeof name === 'string' && nodeAt(container, [name]) !== undefined) return undefined;
  const tail = text.slice(endOf(last), endOf(container) - 1);
  const [behind, comma = ''] = BEHIND.exec(tail) ?? [];
  if (behind === undefined || !behind.includes('/') || (comma === '' && commaIn(tail) !== undefined)) return undefined;
  const content = JSON.stringify(inner.reduceRight((held, part) => (typeof part === 'number' ? [held] : { [part]: held }), value));
  const item = container.type === 'array' ? content : `${JSON.stringify(name)}: ${content}`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const offset = endOf(last) + behind.length + (comma === '' ? 1 : 0);
  return {
    text: comma === '' ? `${text.slice(0, endOf(last))},${text.slice(endOf(last))}` : text,
    edits: [{ offset, length: 0, content: `${eol}${item}${comma}` }],
  };
}

const nodeAt = (root: Node | undefined, path: JSONPath): Node | undefined => root && findNodeAtLocation(root, path);

/** The place of the first comma of a text that is in no comment. */
const commaIn = (text: string): number | undefined => [...text.matchAll(COMMENT_OR_COMMA)].find(([found]) => found === ',')?.index;

const inputsIn = (text: string): readonly Node[] => {
  const root = rootOf(text);
  return (root && findNodeAtLocation(root, [INPUTS])?.children) ?? [];
};
const hasId = (input: Node, id: string): boolean => findNodeAtLocation(input, ['id'])?.value === id;

const withInput = (text: string, input: ClientInput): string =>
  inputsIn(text).some((one) => hasId(one, input.id)) ? text : withValue(text, [INPUTS, -1], input);

function withoutInput(text: string, id: string): string {
  const index = inputsIn(text).findIndex((input) => hasId(input, id));
  return index < 0 || text.includes(`\${input:${id}}`) ? text : withoutMember(text, [INPUTS, index]);
}

/**
 * Takes a value out, and the object or list that held it if nothing is left there. Comments beside it stay: `modify` would
 * take them out with it, and leaves a character of the last item of a list on one line.
 */
function withoutMember(text: string, path: JSONPath): string {
  const root = rootOf(text);
  const node = root && findNodeAtLocation(root, path);
  const member = node?.parent?.type === 'property' ? node.parent : node;
  const container = member?.parent;
  if (member === undefined || container?.children === undefined) return text;
  const index = container.children.indexOf(member);
  const [before, after] = [container.children[index - 1], container.children[index + 1]];
  const isOnly = before === undefined && after === undefined;
  const comma = before === undefined || after !== undefined ? undefined : commaIn(text.slice(endOf(member), endOf(container) - 1));
  // The last one takes the comma behind it along, and the one before keeps its own.
  if (comma !== undefined) {
    const end = endOf(member) + comma;
    const [first, rest] = [text.slice(0, member.offset), text.slice(endOf(member), end) + text.slice(end + 1)];
    return (/^[ \t]*[\r\n]/.test(rest) ? first.trimEnd() : first) + rest;
  }
  const from = isOnly ? container.offset + 1 : before === undefined ? member.offset : endOf(before);
  const to = isOnly ? endOf(container) - 1 : before === undefined && after !== undefined ? after.offset : endOf(member);
  const beside = text.slice(from, member.offset) + text.slice(endOf(member), to);
  const comments = beside.replace(COMMENT_OR_COMMA, (_, comment = '') => comment);
  const kept = comments.trim() === '' ? '' : comments;
  const result = text.slice(0, from) + kept + text.slice(to);
  return isOnly && kept === '' ? withoutMember(result, path.slice(0, -1)) : result;
}

const COMMENT_OR_COMMA = /(\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|,/g;
const endOf = ({ offset, length }: Node): number => offset + length;
