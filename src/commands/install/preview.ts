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
const REFERENCE = /^(?:Bearer )?\$\{[\w:-]+\}$/;
/** What may hold secrets: variables, and headers. */
const MASKED = ['env', 'headers', 'http_headers'];

/** One that somebody put into an address. */
const TOKEN = /\bvh[mp]_[\w-]+/g;

/** An entry as it may be shown: values of variables and headers may be secrets. A hidden value that differs from the one in `before` says so. */
export function masked(entry: ServerEntry, before: ServerEntry = {}): ServerEntry {
  const fields = Object.entries(entry).map(([name, values]) => {
    if (typeof values === 'string') return [name, values.replaceAll(TOKEN, MASK)];
    if (!MASKED.includes(name) || !isObject(values)) return [name, values];
    const old = before[name];
    return [name, maskedValues(values, isObject(old) ? old : {})];
  });
  return Object.fromEntries(fields);
}

function maskedValues(values: ServerEntry, old: ServerEntry): ServerEntry {
  const shown = Object.entries(values).map(([name, value]) => {
    const earlier = old[name];
    const isShown = SHOWN_VARIABLES.has(name) || REFERENCE.test(String(value));
    return [name, isShown ? value : earlier === undefined || earlier === value ? MASK : MASK_CHANGED];
  });
  return Object.fromEntries(shown);
}

/** An entry, masked or not, in the client's own format with its place in the file: to be read, or pasted. */
export function snippet({ format, key }: AiClient, entry: ServerEntry, inputs: readonly ClientInput[] = []): string {
  if (format === 'toml') return tomlText(key, entry).trimEnd();
  return JSON.stringify({ ...(inputs.length === 0 ? {} : { inputs }), [key]: { [SERVER]: entry } }, null, 2);
}

/** Two texts as one: what stays, and each change where it is, removed lines with `-` before added ones with `+`. */
export function difference(before: string, after: string): string {
  const [old = [], now = []] = [before, after].map((text) => (text === '' ? [] : text.split('\n')));
  const lines: string[] = [];
  let [from, to] = [0, 0];
  for (const [oldIndex, newIndex] of [...commonLines(old, now), [old.length, now.length] as const]) {
    lines.push(...old.slice(from, oldIndex).map((line) => `- ${line}`), ...now.slice(to, newIndex).map((line) => `+ ${line}`));
    if (newIndex < now.length) lines.push(`  ${now[newIndex]}`);
    [from, to] = [oldIndex + 1, newIndex + 1];
  }
  return lines.join('\n');
}

/** The places of a longest common subsequence of lines. An entry has a few dozen of them. */
function commonLines(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const lengthAt = (at: number, to: number): number => lengths[at]?.[to] ?? 0;
  for (let at = old.length - 1; at >= 0; at -= 1)
    for (let to = now.length - 1; to >= 0; to -= 1)
      (lengths[at] ?? [])[to] = old[at] === now[to] ? lengthAt(at + 1, to + 1) + 1 : Math.max(lengthAt(at + 1, to), lengthAt(at, to + 1));
  const pairs: [number, number][] = [];
  for (let [at, to] = [0, 0]; at < old.length && to < now.length; ) {
    if (old[at] === now[to]) pairs.push([at++, to++]);
    else if (lengthAt(at + 1, to) >= lengthAt(at, to + 1)) at += 1;
    else to += 1;
  }
  return pairs;
}
