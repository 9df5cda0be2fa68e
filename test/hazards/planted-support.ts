/** Values that occur in one place, where each may be, and the forms in which an output may repeat them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Where a text was found: an answer, to whom and of what; what a command printed; a file or folder, by its name or contents. */
export interface Place {
  readonly kind: 'answer' | 'output' | 'file';
  readonly who: string;
  /** `GET /app/api/changes/ID/emails`, the command, or the path below the home folder. */
  readonly what: string;
  readonly text: string;
}

export interface Planted {
  readonly name: string;
  readonly value: string;
  /** Where it may be; nowhere by default. */
  readonly may?: (place: Place) => boolean;
}

/** The value as it is, percent-encoded, in hexadecimal, in base64 and as JSON escapes it; in small letters. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // What base64 makes of it at each of the three places where it may begin, without what it shares with its neighbours.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift + 1, -4),
  );
  const forms = [value, encodeURIComponent(value), new URLSearchParams({ v: value }).toString().slice(2), bytes.toString('hex')];
  const escaped = JSON.stringify(value).slice(1, -1);
  const all = [
    ...forms,
    escaped,
    escaped.replaceAll('/', '\\/'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(all.map((form) => form.toLowerCase()))].filter((form) => form.length >= 8);
}

/** Each planted value that is where it may not be: `the token of ann in the answer to bob: POST /mcp …`. */
export function strays(planted: readonly Planted[], places: readonly Place[]): string[] {
  const sought = planted.map((one) => ({ ...one, forms: formsOf(one.value) }));
  return places.flatMap((place) => {
    const text = place.text.toLowerCase();
    return sought.flatMap(({ name, forms, may }) => {
      const found = forms.find((form) => text.includes(form));
      if (found === undefined || may?.(place) === true) return [];
      const at = text.indexOf(found);
      return [`${name} in the ${place.kind} of ${place.who}: ${place.what}: …${place.text.slice(Math.max(0, at - 80), at)}[here]…`];
    });
  });
}

/** All files and folders below a folder, by name and contents. */
export const placesBelow = (folder: string): Place[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const what = relative(folder, path);
    return { kind: 'file', who: 'the server', what, text: `${what}\n${entry.isFile() ? readFileSync(path, 'latin1') : ''}` };
  });
