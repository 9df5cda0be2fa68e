import { isObject } from '../../platform/is-object.ts';

/** A part of DuckDB's syntax tree, as its `json_serialize_sql` writes it. */
export type Tree = Readonly<Record<string, unknown>>;

export type AddProblem = (problem: string, location?: number) => void;

export const isTree: (value: unknown) => value is Tree = isObject;

export const locationOf = ({ query_location: location }: Tree): number | undefined => (typeof location === 'number' ? location : undefined);

/** As DuckDB compares names. */
export const lowerCase = (value: unknown): string => String(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const VIEWS = 'views';

export const isViews = ({ type, table_name: name }: Tree): boolean => type === 'BASE_TABLE' && lowerCase(name) === VIEWS;

/** Whether a FROM has the table itself, not only in a subquery. */
export function readsViews(from: unknown): boolean {
  if (!isTree(from)) return false;
  return from.type === 'JOIN' ? readsViews(from.left) || readsViews(from.right) : isViews(from);
}

export const lastName = ({ column_names: names }: Tree): string => lowerCase(Array.isArray(names) ? names.at(-1) : undefined);

export function each(value: unknown, act: (tree: Tree) => void): void {
  if (Array.isArray(value)) for (const item of value) each(item, act);
  if (!isTree(value)) return;
  act(value);
  for (const child of Object.values(value)) each(child, act);
}
