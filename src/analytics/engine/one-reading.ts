/**
 * Holds a query that counts viewers to one reading of views, in which each view is in one group: otherwise groups that overlap
 * would show which views are of one person.
 */
import { KEY_COLUMNS, NAME_TABLES, ONE_READING } from '../sql/caller-sql.ts';
import { ALLOWED_TABLES } from './sql-allowed.ts';
import { type AddProblem, each, isTree, isViews, lastName, locationOf, lowerCase, readsViews, type Tree } from './syntax-tree.ts';

export function checkReadings(statement: unknown, report: AddProblem): void {
  const readings: Tree[] = [];
  each(statement, (tree) => {
    if (isViews(tree)) readings.push(tree);
    const { map } = isTree(tree.cte_map) ? tree.cte_map : {};
    for (const entry of Array.isArray(map) ? map : [])
      if (isTree(entry) && ALLOWED_TABLES.has(lowerCase(entry.key))) report(ONE_READING.cte, locationOf(tree));
  });
  for (const second of readings.slice(1)) report(ONE_READING.views, locationOf(second));
  checkPlace(statement, true, report);
}

/** Reports a SELECT that reads views and that is evaluated for each row of something else. `isAlone`: it is not. */
function checkPlace(value: unknown, isAlone: boolean, report: AddProblem): void {
  if (Array.isArray(value)) for (const item of value) checkPlace(item, isAlone, report);
  if (!isTree(value)) return;
  if (isTree(value.from_table) && readsViews(value.from_table)) {
    if (!isAlone) report(ONE_READING.place, locationOf(value.from_table));
    if (!isJoinedByKey(value.from_table)) report(ONE_READING.join, locationOf(value.from_table));
    if (Array.isArray(value.group_sets) && value.group_sets.length > 1) report(ONE_READING.groups, locationOf(value.from_table));
  }
  const isStillAlone = isAlone && value.class !== 'SUBQUERY' && value.type !== 'JOIN';
  for (const child of Object.values(value)) checkPlace(child, isStillAlone, report);
}

/** Whether each view meets at most one row of what it is joined with. */
function isJoinedByKey(from: unknown): boolean {
  if (!isTree(from)) return false;
  if (from.type !== 'JOIN') return isViews(from);
  const { left, right, condition, ref_type: kind } = from;
  if (!isTree(left) || !isTree(right) || kind !== 'REGULAR') return false;
  const [others, table] = readsViews(left) ? [left, right] : [right, left];
  return isJoinedByKey(others) && isNamesTable(table) && isByKeyOf(table, condition);
}

const isNamesTable = ({ type, table_name: name }: Tree): boolean =>
  type === 'BASE_TABLE' && NAME_TABLES.some((table) => table === lowerCase(name));

function isByKeyOf({ alias, table_name: name }: Tree, condition: unknown): boolean {
  if (!isTree(condition) || condition.type !== 'COMPARE_EQUAL') return false;
  const sides = [condition.left, condition.right].filter(isTree).filter((side) => side.class === 'COLUMN_REF');
  const own = typeof alias === 'string' && alias !== '' ? alias : name;
  const isKey = ({ column_names: names }: Tree): boolean =>
    Array.isArray(names) && names.map(lowerCase).join('.') === `${lowerCase(own)}.key`;
  return sides.some(isKey) && sides.some((side) => KEY_COLUMNS.includes(lastName(side)));
}
