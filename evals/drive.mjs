// Plays a task by hand, or by an assistant that has a shell. docs/evals.md has the commands.
import { load } from './load.mjs';

const { drive } = await load('play/drive.ts');
await drive(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
