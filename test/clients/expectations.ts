/**
 * What this server does not do yet in real clients. The tests of it are there, and are expected to fail until the line
 * here says `true`: `test('…', once(DRAW_CHART), …)` is red as soon as it passes unannounced.
 */

/** The structured content says all that the text says, and costs a model no more. */
export const SAME_CONTENT_TWICE: boolean = true;

/** Pictures come from `draw_chart`, which has no output schema, so that every client keeps them. */
export const DRAW_CHART: boolean = true;

/** Options of a test that passes only where everything it needs is built. */
export const once = (...built: readonly boolean[]): { readonly fails: boolean } => ({ fails: built.includes(false) });
