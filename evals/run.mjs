// npm run evals -- probe | replay | live | table. docs/evals.md says what each does.
import { replaceBlocks } from '../scripts/generate/replace-blocks.mjs';
import { load } from './load.mjs';

const { run } = await load('run.ts');
await run(process.argv.slice(2), replaceBlocks);
