// Runs the linter as the scripts of package.json do: with colours only on a terminal that may have them. Biome itself colours what
// goes into a file or a pipe, too, letter by letter.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { argv, env, execPath, stdout } = process;
const isPlain = (env.NO_COLOR ?? '') !== '' || (!stdout.isTTY && env.FORCE_COLOR === undefined);
const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
const { status } = spawnSync(execPath, [biome, ...argv.slice(2), ...(isPlain ? ['--colors=off'] : [])], { stdio: 'inherit' });
process.exitCode = status ?? 1;
