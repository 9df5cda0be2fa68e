// Does the built server run, for every kind of client? With the made-up account that it has inside. Both run on the Node
// that runs this.
//
//   node scripts/smoke.mjs
import { join } from 'node:path';
import { root } from './root.mjs';
import { tryEveryClient, tryMove } from './smoke/session.mjs';

const server = { command: process.execPath, args: [join(root, 'dist', 'main.cjs'), '--demo'] };
const kinds = await tryEveryClient(server);
await tryMove(server);
console.log(`The built server works on Node ${process.version}, analytics, charts and a move too, for clients: ${kinds.join('; ')}.`);
