/**
 * Fields of answers whose values are others in each run: ids, tokens and paths are made anew, and a summary may be
 * worded anew. A recorded argument says which answer such a value came from, and not what it was.
 */
const FIELDS: ReadonlySet<string> = new Set(['changeId', 'confirmationToken', 'notDoneFile', 'path', 'report', 'reportFile', 'summary']);

const REFERENCE = /\{\{([\w.]+) of call (\d+)\}\}/g;

export interface References {
  /** Notes the structured content of the next call's answer. */
  answered(data: unknown): void;
  /** Arguments with references in place of such values: `{{changeId of call 3}}`, of the newest answer that had it. */
  toReferences(args: unknown): unknown;
  /** Arguments with the values of this run. Throws where an answer has no such value. */
  toValues(args: unknown): unknown;
}

/** What the calls of one run answered, so that arguments can name it. */
export function createReferences(): References {
  let calls = 0;
  const values = new Map<string, string>();
  const references = new Map<string, string>();
  return {
    answered(data) {
      calls += 1;
      for (const [path, value] of leaves(data)) {
        const reference = `{{${path} of call ${calls}}}`;
        values.set(reference, value);
        references.set(value, reference);
      }
    },
    toReferences(args) {
      // The longest first: a summary may have an id in it.
      const known = [...references].sort(([one], [other]) => other.length - one.length);
      return mapTexts(args, (text) => known.reduce((named, [value, reference]) => named.replaceAll(value, reference), text));
    },
    toValues: (args) =>
      mapTexts(args, (text) =>
        text.replace(REFERENCE, (reference) => {
          const value = values.get(reference);
          if (value === undefined) throw new RangeError(`there is no ${reference.slice(2, -2)}`);
          return value;
        }),
      ),
  };
}

/** The values of such fields, each with its path: `changes.0.changeId`. */
function leaves(data: unknown): [path: string, value: string][] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return FIELDS.has(name) && value !== '' ? [[name, value]] : [];
    return leaves(value).map(([path, leaf]) => [`${name}.${path}`, leaf]);
  });
}

/** A JSON value with every text in it replaced. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, replace)]));
}
