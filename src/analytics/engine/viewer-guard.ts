/** Holds a query to the rules of `caller-sql.ts` for viewers; `one-reading.ts` to those for the views that are counted. */
import { type Sentence, sentence } from '../../text/sentence.ts';
import { VIEWER } from '../columns.ts';
import { MIN_VIEWS, ONE_READING, ONLY_COUNTED, UNNAMED, whereCounted } from '../sql/caller-sql.ts';
import { checkReadings } from './one-reading.ts';
import { type AddProblem, each, isTree, isViews, lastName, locationOf, lowerCase, readsViews, type Tree, VIEWS } from './syntax-tree.ts';

/** The number of counts of viewers in a statement; reports every other use of them. `statement` is DuckDB's syntax tree. */
export function countsOfViewers(statement: unknown, report: AddProblem): number {
  const counts = new Set<unknown>();
  each(statement, (tree) => {
    const counted = countedViewer(tree);
    if (counted === undefined) return;
    counts.add(counted);
    if (isTree(tree.filter)) report(ONE_READING.filter, locationOf(tree));
  });
  each(statement, (tree) => {
    if (!counts.has(tree) && namesViewer(tree)) report(ONLY_COUNTED, locationOf(tree));
  });
  if (counts.size === 0) return 0;
  checkUnnamed(statement, { names: namesOfViews(statement), aliases: orderedAliases(statement) }, false, report);
  checkReadings(statement, report);
  return counts.size;
}

/** Whether each count of viewers is null for a group of few views, as `suppressSmallGroups` writes it. */
export function areSuppressed(statement: unknown, counts: number): boolean {
  let suppressed = 0;
  let counted = 0;
  each(statement, (tree) => {
    if (countedViewer(tree) !== undefined) counted += 1;
    if (isSuppressed(tree)) suppressed += 1;
  });
  return counted === counts && suppressed === counts;
}

function isSuppressed({ class: kind, case_checks: checks, else_expr: counted }: Tree): boolean {
  const [check, ...others] = Array.isArray(checks) ? checks : [];
  if (kind !== 'CASE' || others.length > 0 || !isTree(check) || !isTree(counted) || countedViewer(counted) === undefined) return false;
  const { when_expr: when, then_expr: then } = check;
  if (!isTree(when) || when.type !== 'COMPARE_BETWEEN' || !isTree(then) || !isTree(then.value) || then.value.is_null !== true) return false;
  const of = (value: unknown): unknown => (isTree(value) && isTree(value.value) ? value.value.value : undefined);
  return (
    of(when.lower) === 1 && of(when.upper) === MIN_VIEWS - 1 && withoutPlaces(when.input) === withoutPlaces({ ...counted, distinct: false })
  );
}

const withoutPlaces = (tree: unknown): string =>
  JSON.stringify(tree, (name, value: unknown) => (name === 'query_location' ? undefined : value));

/** The column of `count(DISTINCT viewer)`; undefined where an expression is something else. */
function countedViewer({ class: kind, function_name: name, distinct, children }: Tree): unknown {
  if (kind !== 'FUNCTION' || lowerCase(name) !== 'count' || distinct !== true || !Array.isArray(children)) return undefined;
  const [column, ...others] = children;
  const isPlain = isTree(column) && column.class === 'COLUMN_REF' && (column.alias ?? '') === '';
  return isPlain && others.length === 0 && lastName(column) === VIEWER.name ? column : undefined;
}

/** A column by any path that has the name in it, or a join by it. */
function namesViewer({ class: kind, column_names: names, using_columns: using }: Tree): boolean {
  const listed = kind === 'COLUMN_REF' ? names : using;
  return Array.isArray(listed) && listed.some((name) => lowerCase(name) === VIEWER.name);
}

function namesOfViews(statement: unknown): ReadonlySet<string> {
  const names = new Set([VIEWS]);
  each(statement, (tree) => {
    if (isViews(tree) && typeof tree.alias === 'string' && tree.alias !== '') names.add(lowerCase(tree.alias));
  });
  return names;
}

/** The terms of each ORDER BY that are the alias of a column of their SELECT: DuckDB takes one for that before anything else. */
function orderedAliases(statement: unknown): ReadonlySet<Tree> {
  const found = new Set<Tree>();
  each(statement, ({ select_list: shown, modifiers }) => {
    if (!Array.isArray(shown) || !Array.isArray(modifiers)) return;
    const aliases = shown.filter(isTree).flatMap(({ alias }) => (typeof alias === 'string' && alias !== '' ? lowerCase(alias) : []));
    const orders: unknown[] = modifiers.filter(isTree).flatMap((modifier) => modifier.orders);
    const terms = orders.filter(isTree).map(({ expression }) => expression);
    for (const term of terms.filter(isTree))
      if (Array.isArray(term.column_names) && term.column_names.length === 1 && aliases.includes(lastName(term))) found.add(term);
  });
  return found;
}

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly aliases: ReadonlySet<Tree>;
}

/** Reports whatever could reach a column of views without its name. `isSeen`: the table is in scope. */
function checkUnnamed(value: unknown, scope: Scope, isSeen: boolean, report: AddProblem): void {
  if (Array.isArray(value)) for (const item of value) checkUnnamed(item, scope, isSeen, report);
  if (!isTree(value)) return;
  const sees = isSeen || readsViews(value.from_table);
  const problem = unnamedProblem(value, scope, sees);
  if (problem !== undefined) report(whereCounted(problem), locationOf(value));
  for (const child of Object.values(value)) checkUnnamed(child, scope, sees, report);
}

function unnamedProblem(tree: Tree, { names, aliases }: Scope, sees: boolean): Sentence | undefined {
  if (tree.class === 'STAR') {
    const relation = lowerCase(tree.relation_name ?? '');
    return relation === '' ? (sees ? STAR_PROBLEM : undefined) : names.has(relation) ? STAR_PROBLEM : undefined;
  }
  if (tree.class === 'POSITIONAL_REFERENCE') return sentence`name columns instead of their places`;
  if (tree.class === 'COLUMN_REF' && names.has(lastName(tree)) && !aliases.has(tree)) return UNNAMED.row;
  if (tree.ref_type === 'NATURAL') return sentence`name the columns of a join with ON instead of NATURAL`;
  const renamed = tree.column_name_alias;
  return isViews(tree) && Array.isArray(renamed) && renamed.length > 0
    ? sentence`the columns of views can’t be renamed in FROM`
    : undefined;
}

const STAR_PROBLEM = sentence`${UNNAMED.star} (or COLUMNS, or ORDER BY ALL)`;
