import { SETTINGS } from '../../config/settings.ts';
import { isObject } from '../../platform/is-object.ts';
import type { AiClient } from './clients.ts';
import { type ClientInput, SERVER, type ServerEntry } from './document.ts';
import { tomlText } from './toml-document.ts';

const MASK = '•••';
const MASK_CHANGED = '••• (another)';

const SHOWN_VARIABLES: ReadonlySet<string> = new Set(
  Object.values(SETTINGS).flatMap((row) => ('secret' in row ? [] : [row.variable as string])),
);
/** How clients write that a value comes from elsewhere. */
const REFERENCE = /^\$\{[\w:-]+\}$/;

/** An entry as it may be shown: values of variables may be secrets. A hidden value that differs from the one in `before` says so. */
export function masked(entry: ServerEntry, before: ServerEntry = {}): ServerEntry {
  const [env, old] = [entry.env, before.env];
  if (!isObject(env)) return entry;
  const shown = Object.entries(env).map(([name, value]) => {
    const earlier = isObject(old) ? old[name] : undefined;
    const isShown = SHOWN_VARIABLES.has(name) || REFERENCE.test(String(value));
    return [name, isShown ? value : earlier === undefined || earlier === value ? MASK : MASK_CHANGED];
  });
  return { ...entry, env: Object.fromEntries(shown) };
}

/** An entry, masked or not, in the client's own format with its place in the file: to be read, or pasted. */
export function snippet({ format, key }: AiClient, entry: ServerEntry, inputs: readonly ClientInput[] = []): string {
  if (format === 'toml') return tomlText(key, entry).trimEnd();
  return JSON.stringify({ ...(inputs.length === 0 ? {} : { inputs }), [key]: { [SERVER]: entry } }, null, 2);
}

/** Two texts as one: removed lines with `-` before them, then the new text, its added lines with `+`. */
export function difference(before: string, after: string): string {
  const [old = [], now = []] = [before, after].map((text) => (text === '' ? [] : text.split('\n')));
  const removed = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
  return [...removed, ...now.map((line) => `${old.includes(line) ? ' ' : '+'} ${line}`)].join('\n');
}
