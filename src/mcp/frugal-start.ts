import { setFlagsFromString } from 'node:v8';

// What runs at start runs once, and what it makes is kept. V8 takes that for a busy program: it optimises functions, and
// lets the space for young objects grow eightfold. That is 8 MB, and a tenth of the first call's CPU time, of which a
// server that mostly waits has nothing. Imported first, so that it holds for what is loaded next.
setFlagsFromString('--no-opt');
setFlagsFromString('--semi-space-growth-factor=1');

/** V8's own ways again, once everything is loaded: a large answer is worth them. */
export function endFrugalStart(): void {
  setFlagsFromString('--opt');
  setFlagsFromString('--semi-space-growth-factor=2');
}

/**
 * The same as a bulk change begins or a large catalogue is read, but for what V8 optimises: only what runs for four times
 * as long as by default, in bytes of bytecode. A change of a hundred requests is over before most of its code has earned
 * back what optimising it costs, and on a machine of few cores the threads that do it take their time from whatever we
 * wait for.
 */
export function endFrugalStartForLongWork(): void {
  endFrugalStart();
  // Newer ones have a cheaper compiler for what comes between, and no such flag.
  if (V8_MAJOR < 12) setFlagsFromString('--interrupt-budget=270336');
}

const V8_MAJOR = Number.parseInt(process.versions.v8, 10);
