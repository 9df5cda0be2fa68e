/** As `engine/one-reading.ts`: each view is in one group of the one reading of a query that counts viewers. */
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { KEY_COLUMNS, NAME_TABLES, ONE_READING, whereCounted } from '../../sql/caller-sql.ts';
import { eachNode, isViewsIdentifier, type Node, nameParts } from './ast.ts';

/** The tree of some versions lacks the names of CTEs. */
const CTE_OF_A_TABLE = new RegExp(String.raw`\b(?:views|${NAME_TABLES.join('|')})\s*(?:\([^)]*\)\s*)?\bas\s*(?:materialized\s*)?\(`, 'i');

/** Groups that overlap. The text has no quoted names and no comments. */
const OVERLAPS = /\bwith\s+(?:rollup|cube|totals)\b|\b(?:rollup|cube)\s*\(|\bgrouping\s+sets\b/i;

export function* readingProblems(sql: string, root: Node): Generator<Sentence> {
  if ([...eachNode(root)].filter(isViewsIdentifier).length > 1) yield ONE_READING.views;
  if (CTE_OF_A_TABLE.test(sql)) yield ONE_READING.cte;
  // The tree tells of none of them.
  if (OVERLAPS.test(sql.replace(/'(?:[^']|'')*'/g, "''"))) yield ONE_READING.groups;
  if ([...eachNode(root)].some(({ kind, name }) => kind === 'Function' && /^arrayjoin$/i.test(name)))
    yield whereCounted(sentence`arrayJoin() is not allowed`);
  yield* placeProblems(root, true);
}

/** Of a SELECT that reads views and that is evaluated for each row of something else. `isAlone`: it is not. */
function* placeProblems(node: Node, isAlone: boolean): Generator<Sentence> {
  const sources = node.kind === 'TablesInSelectQuery' ? sourcesOf(node) : [];
  if (sources.some(({ table }) => table !== undefined && isViewsIdentifier(table))) {
    if (!isAlone) yield ONE_READING.place;
    if (!areJoinedByKey(sources)) yield ONE_READING.join;
  }
  for (const child of node.children) {
    const isPlace = child.kind !== 'Subquery' || node.kind === 'WithElement' || node.kind === 'TableExpression';
    yield* placeProblems(child, isAlone && isPlace && sources.length < 2);
  }
}

interface Source {
  /** Undefined for a subquery or function. */
  readonly table: Node | undefined;
  readonly join: Node | undefined;
}

const sourcesOf = ({ children }: Node): Source[] =>
  children.map((element) => {
    const expression = element.children.find(({ kind }) => kind === 'TableExpression');
    return {
      table: expression?.children.find(({ kind }) => kind === 'TableIdentifier'),
      join: element.children.find(({ kind }) => kind === 'TableJoin'),
    };
  });

/** Whether each view meets at most one row of what it is joined with. */
function areJoinedByKey([first, second, ...others]: readonly Source[]): boolean {
  if (first?.table === undefined) return false;
  if (second === undefined) return isViewsIdentifier(first.table);
  const [views, names] = isViewsIdentifier(first.table) ? [first, second] : [second, first];
  const rest = others.every(({ table, join }) => isByKeyOf(table, join));
  return views.table !== undefined && isViewsIdentifier(views.table) && isByKeyOf(names.table, second.join) && rest;
}

function isByKeyOf(table: Node | undefined, join: Node | undefined): boolean {
  const [condition, ...more] = join?.children ?? [];
  if (table === undefined || !NAME_TABLES.some((name) => name === table.name) || condition?.name !== 'equals' || more.length > 0)
    return false;
  const sides = condition.children.flatMap(({ children }) => children).filter(({ kind }) => kind === 'Identifier');
  const own = (table.alias === '' ? table.name : table.alias).toLowerCase();
  return sides.length === 2 && sides.some(({ name }) => name.toLowerCase() === `${own}.key`) && sides.some(isViewKey);
}

const isViewKey = ({ name }: Node): boolean => KEY_COLUMNS.includes(nameParts(name).at(-1) ?? '');
