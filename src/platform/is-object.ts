/** The fields of an object of which nothing is known. */
export type Values = Readonly<Record<string, unknown>>;

/** An object as JSON has it: neither null nor a list. */
export const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value that may be anything. */
export const fieldsIn = (value: unknown): Values => (isObject(value) ? value : {});
