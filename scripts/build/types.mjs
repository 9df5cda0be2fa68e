import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../root.mjs';

/**
 * The types that a source file exports, as one declaration file that needs no other: each declaration from where it
 * stands, and those that it needs in turn. One that comes from a package is refused, so that no user needs that package;
 * the type of a schema is spelled out.
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
    const found = declared.get(name);
    if (found === undefined || picked.has(name)) return;
    const node = isSchemaType(found) ? spelledOut(file, name) : found;
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

const isSchemaType = (node) => ts.isTypeAliasDeclaration(node) && /^z\.output</.test(node.type.getText());

/** The types of all schemas; worked out once, since the compiler takes some seconds for it. */
let program;

/** The type of a schema as an interface: its fields with their comments, and that there may be others. */
function spelledOut(file, name) {
  program ??= ts.createProgram([join(root, 'src/service/client.ts')], {
    ...ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} })
      .options,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const { statements } = program.getSourceFile(file);
  const declaration = statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
  // The comment is on the schema.
  const schema = statements.find((node) => node.declarationList?.declarations[0]?.name.text === `${name}Schema`);
  const type = checker.getTypeAtLocation(declaration.name);
  const textOf = (inner) => checker.typeToString(inner, undefined, ts.TypeFormatFlags.NoTruncation);
  const fields = type.getProperties().map((field) => {
    const comment = ts.displayPartsToString(field.getDocumentationComment(checker));
    const optional = (field.flags & ts.SymbolFlags.Optional) !== 0 ? '?' : '';
    return `${comment === '' ? '' : `    /** ${comment} */\n`}    readonly ${field.name}${optional}: ${textOf(checker.getTypeOfSymbol(field))};\n`;
  });
  const others = checker.getIndexInfosOfType(type).length > 0 ? '    readonly [field: string]: unknown;\n' : '';
  const code = `${commentOf(schema ?? declaration)}interface ${name} {\n${fields.join('')}${others}}\n`;
  return ts.createSourceFile('it.d.ts', code, ts.ScriptTarget.ES2023, true).statements[0];
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
  const code = node.getText().replace(/^(export |declare )+/, '');
  return `${commentOf(node)}${ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? '' : 'declare '}${code}`;
}

function commentOf(node) {
  const comments = (ts.getLeadingCommentRanges(node.getFullText(), 0) ?? []).filter(
    ({ pos, end }) => node.getFullText().slice(pos, pos + 3) === '/**' && end > pos,
  );
  const last = comments.at(-1);
  return last === undefined ? '' : `${node.getFullText().slice(last.pos, last.end)}\n`;
}
