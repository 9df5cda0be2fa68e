import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const root = join(import.meta.dirname, '..', '..');

export const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Paths of README.md and of the pages in docs/. */
export const documents = (): string[] => [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of the project's own commands with Node, as `package.json` does. */
export function runNode(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], { cwd: root, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    // A server that is started by mistake exits at once.
    child.stdin?.end();
  });
}

/** The text of a document between the markers of that kind and name, without its code fence. */
export function blockOf(document: string, kind: 'generated' | 'command' | 'example', name: string): string {
  const [, rest = ''] = textOf(document).split(`<!-- ${kind}: ${name} -->\n`);
  const [block = ''] = rest.split(`<!-- /${kind}: ${name} -->`);
  return block.trim().replace(/^```\w*\n|\n```$/g, '');
}
