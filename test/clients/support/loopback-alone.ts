import { readFileSync } from 'node:fs';

/** The clients may connect to whatever they like; so nothing runs where there is more than loopback. */
export function setup(): void {
  const names = readFileSync('/proc/net/dev', 'utf8').match(/^ *[^ :]+(?=:)/gm) ?? [];
  const others = names.map((name) => name.trim()).filter((name) => name !== 'lo');
  if (others.length > 0)
    throw new Error(`There is a network (${others.join(', ')}): run this with npm run test:clients, which takes it away.`);
}
