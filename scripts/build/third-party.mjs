import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** Copied as they are, which no bundle shows. */
const COPIED = ['node_modules/dejavu-fonts-ttf'];

const RULE = `\n${'-'.repeat(100)}\n\n`;

/**
 * The licences of everything that is built in, as their authors wrote them: one text for all packages that share it.
 * Taken from what the bundles really hold; a package without a licence's text is refused.
 */
export function thirdPartyLicences(metafiles) {
  const byText = new Map();
  for (const folder of [...foldersIn(metafiles), ...COPIED]) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const text = textOf(folder);
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const sections = [...byText].map(([text, packages]) => `${packages.sort(byName).join('\n')}\n\n${text}\n`);
  return `This package holds code and fonts of others, under these licences.\n${RULE}${sections.sort(byName).join(RULE)}`;
}

const byName = (a, b) => a.localeCompare(b, 'en');

/** The folders of the packages of which something is in the bundles. */
function foldersIn(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
  return new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replace(/^[\w-]+:/, ''))?.[0] ?? []));
}

function textOf(folder) {
  const [name] = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(file));
  if (name === undefined) throw new Error(`${folder} is built in and has no text of its licence.`);
  return readFileSync(join(root, folder, name), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim();
}
