import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * The types that a source file exports, as one declaration file that needs no other: each declaration from where it
 * stands, and those that it needs in turn. One that comes from a package is refused, so that no user needs that package.
 */
export function bundledTypes(entry) {
  const files = new Map();
  const picked = new Map();
  const open = (file) => {
    if (!files.has(file)) files.set(file, declarationsOf(file));
    return files.get(file);
  };
  const pick = (file, name) => {
    const { declared, imported } = open(file);
    if (imported.has(name)) {
      const { from, as } = imported.get(name);
      if (!from.startsWith('.')) throw new Error(`${file}: ${name}, which is exported or needed by what is, comes from ${from}.`);
      pick(join(dirname(file), from), as);
      return;
    }
    const node = declared.get(name);
    if (node === undefined || picked.has(name)) return;
    picked.set(name, node);
    for (const needed of namesIn(node)) pick(file, needed);
  };
  const names = [...open(entry).imported.keys()];
  for (const name of names) pick(entry, name);
  const missing = names.filter((name) => !picked.has(name));
  if (missing.length > 0) throw new Error(`${entry}: no declaration was found of ${missing.join(', ')}.`);
  const texts = [...picked.values()].map((node) => plain(node));
  return `${texts.join('\n\n')}\n\nexport { ${names.join(', ')} };\n`;
}

/** What a file declares, and what it takes or hands on from others, by name. */
function declarationsOf(file) {
  // What only checks a value would be taken for its type.
  const code = readFileSync(file, 'utf8').replaceAll(/ as const satisfies [^;]+;/g, ' as const;');
  const { outputText } = ts.transpileDeclaration(code, {
    fileName: file,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true, isolatedDeclarations: true },
  });
  const declared = new Map();
  const imported = new Map();
  for (const node of ts.createSourceFile('it.d.ts', outputText, ts.ScriptTarget.ES2023, true).statements) {
    const list = ts.isImportDeclaration(node)
      ? node.importClause?.namedBindings
      : ts.isExportDeclaration(node)
        ? node.exportClause
        : undefined;
    for (const { name, propertyName } of list?.elements ?? [])
      imported.set(name.text, { from: node.moduleSpecifier.text, as: (propertyName ?? name).text });
    if (list !== undefined && ts.isNamespaceImport(list)) imported.set(list.name.text, { from: node.moduleSpecifier.text, as: '*' });
    if (node.name !== undefined) declared.set(node.name.text, node);
    for (const { name } of node.declarationList?.declarations ?? []) declared.set(name.text, node);
  }
  return { declared, imported };
}

/** Every name that a declaration holds; those of fields too, which do no harm where nothing is declared by them. */
function namesIn(node) {
  const names = new Set();
  const visit = (child) => {
    const isField = child.parent !== undefined && child.parent.name === child;
    if (ts.isIdentifier(child) && !isField) names.add(child.text);
    // What the compiler writes where it would have to know more than this file.
    if (child.kind === ts.SyntaxKind.AnyKeyword) throw new Error(`A type is not written out: ${node.getText().slice(0, 200)}`);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return names;
}

/** As it stands, with its comment, neither exported nor anything else in front. */
function plain(node) {
  const comments = (ts.getLeadingCommentRanges(node.getFullText(), 0) ?? []).filter(
    ({ pos, end }) => node.getFullText().slice(pos, pos + 3) === '/**' && end > pos,
  );
  const last = comments.at(-1);
  const comment = last === undefined ? '' : `${node.getFullText().slice(last.pos, last.end)}\n`;
  const code = node.getText().replace(/^(export |declare )+/, '');
  return `${comment}${ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? '' : 'declare '}${code}`;
}
