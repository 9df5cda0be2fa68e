export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the fields that are undefined: an absent field has a meaning of its own in requests, answers and the journal. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  // Only fields whose type allows undefined are removed.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
