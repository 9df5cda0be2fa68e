import { join } from 'node:path';
import { startRawClient } from '../raw-client.mjs';
import { root } from '../root.mjs';

/** Lets the server of a folder do what every session begins with, so that its code lies there compiled (see load-cached.cjs). */
export async function train(folder) {
  const client = startRawClient(process.execPath, [join(root, 'scripts', 'build', 'train.cjs'), folder, '--demo'], { era: 'legacy' });
  // A client of the newer era asks this first, and may go on as one of the older.
  await client.probe();
  await client.open();
  await client.request('tools/list');
  for (const name of ['list_channels', 'check_setup']) await client.request('tools/call', { name, arguments: {} });
  const end = await client.close();
  if (end?.code !== 0) throw new Error(`the training run ended with ${JSON.stringify(end)}`);
}
