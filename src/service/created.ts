import type { z } from 'zod';

/** A creation that succeeded. The success status is not documented, nor always the body: `record` is absent when none was sent. */
export interface Created<T> {
  readonly record: T | undefined;
}

/** Accepts the record, or an empty body. */
export function createdSchema<T>(schema: z.ZodType<T>) {
  return schema.optional().transform((record): Created<T> => ({ record }));
}
