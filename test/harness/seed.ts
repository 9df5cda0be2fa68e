/**
 * Generated values are the same in every run, so that a failure is one of the change that is tested. Other ones are
 * tried with `FUZZ_SEED=7 npx vitest run …`; what they find becomes a test of its own.
 */
import { configureGlobal } from 'fast-check';

const DEFAULT_SEED = 20_261_120;

configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? DEFAULT_SEED) });
