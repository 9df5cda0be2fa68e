/** An object of JSON of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});
