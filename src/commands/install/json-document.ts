import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type ClientInput, type ConfigDocument, unusable } from './document.ts';
import { type Entry, isRecord, SERVER } from './entry.ts';
import { append, commentsOf, remove, replace } from './json-text.ts';

const INPUTS = 'inputs';

/** A configuration in JSON, with or without comments and trailing commas. */
export function openJson(text: string, key: string): ConfigDocument {
  const root = rootOf(text);
  const entry = root === undefined ? undefined : entryIn(text, root, key);
  return {
    entry,
    with(wanted, inputs) {
      const start = root === undefined ? `${text}${text === '' || /[\r\n]$/.test(text) ? '' : '\n'}{}\n` : text;
      const placed = inputs.reduce(withInput, withEntry(start, key, wanted));
      return checked(start, placed, (value) => isDeepStrictEqual(plain(partOf(value, key, SERVER)), plain(wanted)), [key, INPUTS]);
    },
    without(inputIds) {
      const others = inputIds.reduce(withoutInput, withoutEntry(text, key));
      return checked(text, others, (value) => partOf(value, key, SERVER) === undefined, [key, INPUTS]);
    },
  };
}

/** The document's root; undefined where there is nothing but white space and comments. */
function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) throw unusable(`it is not valid JSON (${printParseErrorCode(error.error)}).`, text, error.offset);
  if (root !== undefined && root.type !== 'object') throw unusable('it should hold an object.', text, root.offset);
  return root;
}

/** The members of that name; of several the last counts, as in every reader of JSON. */
const membersOf = (object: Node, name: string): Node[] => (object.children ?? []).filter((member) => member.children?.[0]?.value === name);
const memberOf = (object: Node, name: string): Node | undefined => membersOf(object, name).at(-1);
const innerOf = (member: Node | undefined): Node | undefined => member?.children?.[1];

/** The value of a member that is an object, if it is there. */
function objectOf(text: string, object: Node, name: string, type: 'object' | 'array' = 'object'): Node | undefined {
  const value = innerOf(memberOf(object, name));
  if (value === undefined || value.type === type) return value;
  throw unusable(`${JSON.stringify(name)} should hold ${type === 'object' ? 'an object' : 'a list'}.`, text, value.offset);
}

function entryIn(text: string, root: Node, key: string): Entry | undefined {
  const container = objectOf(text, root, key);
  const entry = container === undefined ? undefined : objectOf(text, container, SERVER);
  if (entry === undefined) return undefined;
  const value: unknown = plain(getNodeValue(entry));
  return isRecord(value) ? value : {};
}

function withEntry(text: string, key: string, wanted: Entry): string {
  const root = rootOf(text);
  if (root === undefined) return text;
  const container = objectOf(text, root, key);
  if (container === undefined) return append(text, root, root, { [SERVER]: wanted }, key);
  if (objectOf(text, container, SERVER) === undefined) return append(text, root, container, wanted, SERVER);
  return merge(text, [key, SERVER], wanted);
}

/** Makes an object that is there hold these members, one at a time; the others stay. */
function merge(text: string, path: readonly string[], wanted: Entry): string {
  return Object.entries(wanted).reduce((result, [name, value]) => {
    const root = rootOf(result);
    if (root === undefined) return result;
    const object = path.reduce<Node | undefined>((node, step) => (node === undefined ? undefined : objectOf(result, node, step)), root);
    const current = object === undefined ? undefined : innerOf(memberOf(object, name));
    if (object === undefined) return result;
    if (current === undefined) return append(result, root, object, value, name);
    if (isDeepStrictEqual(plain(getNodeValue(current)), plain(value))) return result;
    return current.type === 'object' && isRecord(value) ? merge(result, [...path, name], value) : replace(result, root, current, value);
  }, text);
}

function withInput(text: string, { id, description }: ClientInput): string {
  const root = rootOf(text);
  if (root === undefined) return text;
  const input = { type: 'promptString', id, description, password: true };
  const list = objectOf(text, root, INPUTS, 'array');
  if (list === undefined) return append(text, root, root, [input], INPUTS);
  return inputsOf(list, id).length > 0 ? text : append(text, root, list, input);
}

const inputsOf = (list: Node, id: string): Node[] =>
  (list.children ?? []).filter((item) => item.type === 'object' && innerOf(memberOf(item, 'id'))?.value === id);

function withoutEntry(text: string, key: string): string {
  const root = rootOf(text);
  for (const member of root === undefined ? [] : membersOf(root, key)) {
    const container = innerOf(member);
    const ours = container?.type === 'object' ? memberOf(container, SERVER) : undefined;
    if (container !== undefined && ours !== undefined) return withoutEntry(withoutEmpty(remove(text, container, ours), key), key);
  }
  return text;
}

function withoutInput(text: string, id: string): string {
  const root = rootOf(text);
  const list = root === undefined ? undefined : objectOf(text, root, INPUTS, 'array');
  const ours = list === undefined ? undefined : inputsOf(list, id)[0];
  if (list === undefined || ours === undefined || text.includes(`\${input:${id}}`)) return text;
  return withoutInput(withoutEmpty(remove(text, list, ours), INPUTS), id);
}

/** Takes out what held something of ours, where nothing else is left in it, not even a comment. */
function withoutEmpty(text: string, key: string): string {
  const root = rootOf(text);
  const holders = root === undefined ? [] : membersOf(root, key);
  const empty = holders.find((holder) => {
    const { offset = 0, length = 0 } = innerOf(holder) ?? {};
    return length === 2 && /^[{[]/.test(text.slice(offset));
  });
  return root === undefined || empty === undefined ? text : remove(text, root, empty);
}

/** The new text, after a look at it: ours as it should be, everything else and all comments as they were. */
function checked(before: string, after: string, isRight: (value: unknown) => boolean, touched: readonly string[]): string {
  const [old, now] = [before, after].map((text) => {
    const root = rootOf(text);
    return root === undefined ? {} : (getNodeValue(root) as unknown);
  });
  const same = isDeepStrictEqual(othersOf(old, touched), othersOf(now, touched));
  if (!same || !isRight(now) || !isDeepStrictEqual(commentsOf(before), commentsOf(after)))
    throw unusable('it could not be changed without touching something else in it.');
  return after;
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const partOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

/** A value without our entry and without inputs of ours; containers that hold nothing else count as absent. */
function othersOf(value: unknown, [key = '', inputs = '']: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const servers = value[key];
  const list = value[inputs];
  const otherServers = isRecord(servers) ? Object.entries(servers).filter(([name]) => name !== SERVER) : servers;
  const otherInputs = Array.isArray(list) ? list.filter((item) => !(isRecord(item) && String(item.id).startsWith(`${SERVER}-`))) : list;
  const rest = Object.entries(value).filter(([name]) => name !== key && name !== inputs);
  const filled = [otherServers, otherInputs].map((held) => (Array.isArray(held) && held.length === 0 ? undefined : held));
  return [rest, ...filled];
}
