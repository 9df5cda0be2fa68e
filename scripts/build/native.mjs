/** Packages with native parts: they can't be built in. */
export const NATIVE = ['@duckdb/node-api', '@resvg/resvg-js'];
