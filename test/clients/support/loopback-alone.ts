import { readFileSync } from 'node:fs';

/** Refuses to run if there is a network besides loopback, since the clients may connect to any host. */
export function setup(): void {
  const names = readFileSync('/proc/net/dev', 'utf8').match(/^ *[^ :]+(?=:)/gm) ?? [];
  const others = names.map((name) => name.trim()).filter((name) => name !== 'lo');
  if (others.length > 0)
    throw new Error(`There is a network (${others.join(', ')}): run this with npm run test:clients, which takes it away.`);
}
