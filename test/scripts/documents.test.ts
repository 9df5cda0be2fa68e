import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './project.ts';

/** A method of the protocol, a name in a registry, and what a command makes. */
const OTHERS = /^(server\/discover|io\.github\..*|dist\/.*|bundles\/.*)$/;

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('every file and folder that %s names is there', (document) => {
  const names = [...textOf(document).matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !OTHERS.test(name) && !['', 'src'].some((folder) => existsSync(join(root, folder, name))));
  expect(names.length).toBeGreaterThan(10);
  expect(missing, 'Names are from the root, or from src/.').toEqual([]);
});
