// Runs the tests as the scripts of package.json do: only what failed is told, on a terminal with a dot for each test. In CI a
// line for each file, which says what was tried twice. Vitest itself colours what goes into a file or a pipe, too.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.mjs';

const { argv, env, stdout } = process;
if (!stdout.isTTY && env.FORCE_COLOR === undefined) env.NO_COLOR = '1';
if (env.CI === undefined && !argv.some((arg) => arg.startsWith('--reporter'))) argv.push(`--reporter=${stdout.isTTY ? 'dot' : 'minimal'}`);
await import(pathToFileURL(join(root, 'node_modules', 'vitest', 'vitest.mjs')).href);
