import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A process that prints lines of JSON; `next` is the next of them. */
export function startLines(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => JSON.parse((await lines.next()).value) };
}
