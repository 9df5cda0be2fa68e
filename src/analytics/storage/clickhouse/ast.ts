/** The syntax tree of a query as the server prints it (`EXPLAIN AST`). */
export interface Node {
  readonly kind: string;
  /** Without quotes: an identifier, the name of a function or table, a literal. */
  readonly name: string;
  readonly alias: string;
  readonly children: Node[];
}

/** A line for each node, its depth as spaces before it. Undefined where that is not what it looks like. */
export function parseTree(lines: readonly string[]): Node | undefined {
  const open: Node[] = [];
  for (const line of lines) {
    const [, indent = '', kind = '', rest = ''] = /^( *)(\w+)(.*)$/s.exec(line) ?? [];
    const [, name = '', alias = ''] = /^ ?(.*?)(?: \(alias (.*?)\))?(?: \(children \d+\))?$/s.exec(rest) ?? [];
    const node: Node = { kind, name, alias, children: [] };
    if (kind === '' || indent.length > open.length || (indent.length === 0 && open.length > 0)) return undefined;
    open.length = indent.length;
    open.at(-1)?.children.push(node);
    open.push(node);
  }
  return open[0];
}

export function* eachNode(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* eachNode(child);
}

export const nameParts = (name: string): string[] => name.toLowerCase().split('.');
export const isViewsIdentifier = ({ kind, name }: Node): boolean => kind === 'TableIdentifier' && nameParts(name).at(-1) === 'views';
