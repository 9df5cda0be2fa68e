import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Servers of others, at fixed versions, with the environment that each requires to list its tools, which is all they are
 * asked for. `overrides` replaces packages that the registry doesn't have by the nearest that it has.
 */
export const PEERS = [
  { name: 'server-everything', spec: '@modelcontextprotocol/server-everything@2026.8.31', main: 'dist/index.js' },
  { name: 'exa', spec: 'exa-mcp-server@3.4.1', main: 'dist/stdio.cjs', env: { EXA_API_KEY: 'none' } },
  { name: 'Notion', spec: '@notionhq/notion-mcp-server@2.5.2', main: 'bin/cli.mjs', env: { NOTION_TOKEN: 'none' } },
  {
    name: 'Mux',
    spec: '@mux/mcp@12.8.0',
    main: 'index.js',
    env: { MUX_TOKEN_ID: 'none', MUX_TOKEN_SECRET: 'none' },
    overrides: { 'jq-web': '0.6.2' },
  },
  {
    name: 'Cloudinary',
    spec: '@cloudinary/asset-management-mcp@0.11.0',
    main: 'bin/mcp-server.js',
    args: ['start'],
    env: { CLOUDINARY_CLOUD_NAME: 'none', CLOUDINARY_API_KEY: 'none', CLOUDINARY_API_SECRET: 'none' },
  },
];

/** Outside the project, and kept: they don't change. */
const CACHE = join(process.env.VIDEO_HOSTING_MCP_BENCH_CACHE ?? join(tmpdir(), 'video-hosting-mcp-bench-peers'));

/** Installs a package on its own, once; `main` is the file to start. */
export function installed({ spec, main, overrides = {} }) {
  const folder = join(CACHE, spec.replace(/^@/, '').replaceAll(/[^a-z0-9.-]/g, '_'));
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, overrides }));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet, spec], { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(unfinished, folder);
  }
  const name = spec.slice(0, spec.lastIndexOf('@'));
  return { main: join(folder, 'node_modules', name, main) };
}
