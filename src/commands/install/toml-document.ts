import { isDeepStrictEqual } from 'node:util';
import { parse, patch, stringify } from '@decimalturn/toml-patch';
import { isObject } from '../../platform/is-object.ts';
import { sentence, word } from '../../text/sentence.ts';
import { type ConfigDocument, SERVER, type ServerEntry, unusableConfig } from './document.ts';

export function openToml(text: string, key: string): ConfigDocument {
  const value = valueIn(text);
  const servers = value[key];
  if (servers !== undefined && !isObject(servers)) throw unusableConfig(sentence`${word(key)} should be a table.`, text);
  const entry = servers?.[SERVER];
  if (entry !== undefined && !isObject(entry)) throw unusableConfig(sentence`${word(key)}.${SERVER} should be a table.`, text);
  return {
    entry,
    with(wanted) {
      const expected = { ...value, [key]: { ...servers, [SERVER]: wanted } };
      const added = entry === undefined ? appended(text, key, wanted) : undefined;
      return added !== undefined && isDeepStrictEqual(tryValue(added), expected) ? added : patched(text, expected);
    },
    without() {
      if (entry === undefined) return text;
      const { [SERVER]: _ours, ...others } = servers ?? {};
      const { [key]: _servers, ...rest } = value;
      // A header `[mcp_servers]` that somebody wrote stays: it may have comments.
      const hasHeader = new RegExp(`^[ \\t]*\\[[ \\t]*${key}[ \\t]*\\]`, 'm').test(text);
      return patched(text, Object.keys(others).length > 0 || hasHeader ? { ...value, [key]: others } : rest);
    },
  };
}

function valueIn(text: string): Record<string, unknown> {
  try {
    const value = ordinary(parse(text));
    return isObject(value) ? value : {};
  } catch (error) {
    // Its errors carry a line, and a column that counts from 0; the first line of the message repeats both.
    const { line = 1, column = 0, message } = error as { line?: number; column?: number; message: string };
    throw unusableConfig(sentence`line ${line}, column ${column + 1}: it is not valid TOML (${word(message.split('\n').at(-1) ?? '')}).`);
  }
}

/** With a prototype, which the parser's tables lack: a comparison would find them different. */
function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, ordinary(inner)]));
}

function tryValue(text: string): unknown {
  try {
    return valueIn(text);
  } catch {
    return undefined;
  }
}

/** The text with tables of ours at its end. The library would write a dotted key, which strict parsers refuse beside tables. */
function appended(text: string, key: string, entry: ServerEntry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' ? '' : `${text}${/\n$/.test(text) ? '' : eol}${eol}`;
  return start + tomlText(key, entry).replaceAll('\n', eol);
}

export function tomlText(key: string, entry: ServerEntry): string {
  const [tables, fields] = [true, false].map((isTable) => Object.entries(entry).filter(([, value]) => isObject(value) === isTable));
  const main = `[${key}.${SERVER}]\n${stringify(Object.fromEntries(fields ?? []), { bracketSpacing: false })}`;
  return [main, ...(tables ?? []).map(([name, value]) => `[${key}.${SERVER}.${name}]\n${stringify(value)}`)].join('\n');
}

function patched(text: string, expected: Readonly<Record<string, unknown>>): string {
  const result = patch(text, expected);
  if (!isDeepStrictEqual(tryValue(result), expected))
    throw unusableConfig(sentence`it could not be changed without touching something else in it.`);
  return result;
}
