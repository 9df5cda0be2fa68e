import { expect, test } from 'vitest';
import { textOf } from './project.ts';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

// `npm ci` refuses a lock file that leaves out a package of another platform, and npm writes such files where it can't
// reach all of them.
test('the lock file has the packages of every platform', () => {
  // npm's own format.
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
  const missing = Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${at}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});
