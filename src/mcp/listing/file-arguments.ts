import { isObject } from '../../platform/is-object.ts';
import type { ListedTool } from '../app-contract.ts';

// Whoever calls from elsewhere has no file on the machine of a server: what names one is neither offered nor taken there.

/** An argument that names a file of the server’s machine, or says how such a file is read. */
const OF_FILES = /(?:^f|F)ile$|Column$/;

/** The arguments of a call that are about files, with where they stand: `changes[2].setVideoKeysFile`. */
export function fileArguments(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => (isObject(entry) ? fileArguments(entry, `${at}[${index}]`) : []));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return OF_FILES.test(name) && inner !== undefined ? [path] : fileArguments(inner, path);
  });
}

/** What descriptions say of files and of the browser of this machine, and what stands there instead where callers are elsewhere. */
const WORDS_OF_MACHINE: readonly (readonly [said: RegExp, instead: string])[] = [
  [/ A file \([^)]*\) may hold the lists of many channels[^.]*\./, ''],
  [/, or a file of them \([^)]*\)/, ', up to 100,000 in a call'],
  [/, or its column in the file/, ''],
  [/else on the approval page in their browser, where they can also/, 'else by a link to the page, where they sign in and can also'],
];

/** A tool as it is listed, without them. */
export function withoutFiles(tool: ListedTool): ListedTool {
  return {
    ...tool,
    description: WORDS_OF_MACHINE.reduce((text, [said, instead]) => text.replace(said, instead), tool.description),
    inputSchema: schemaWithoutFiles(tool.inputSchema) as ListedTool['inputSchema'], // of the same object, with fewer fields
  };
}

type Schema = { readonly properties?: Readonly<Record<string, unknown>> | undefined; readonly items?: unknown };

function schemaWithoutFiles(schema: Schema): Schema {
  const { properties, items } = schema;
  const left = Object.entries(properties ?? {})
    .filter(([name]) => !OF_FILES.test(name))
    .map(([name, field]) => [name, schemaWithoutFiles(field as Schema)]); // of a JSON Schema
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(left) }),
    ...(typeof items === 'object' && items !== null && { items: schemaWithoutFiles(items) }),
  };
}
