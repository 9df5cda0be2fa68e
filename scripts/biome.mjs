// Runs the linter as the scripts of package.json do: with colours only on a terminal, or where they are forced. Biome itself colours what
// goes into a file or a pipe, too, letter by letter.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { argv, env, execPath, stdout } = process;
const isForced = (env.FORCE_COLOR ?? '0') !== '0';
const isColoured = (env.NO_COLOR ?? '') === '' && (isForced || stdout.isTTY);
const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
const { status } = spawnSync(execPath, [biome, ...argv.slice(2), `--colors=${isColoured ? 'force' : 'off'}`], { stdio: 'inherit' });
process.exitCode = status ?? 1;
