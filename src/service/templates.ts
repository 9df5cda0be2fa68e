import * as z from 'zod';
import type { Http } from './http.ts';
import { TemplateKeySchema } from './ids.ts';
import { type Records, recordsSchema } from './list.ts';
import { path } from './path.ts';
import { maybe } from './shape.ts';

/** "Channel template" in the API document. `status` 1 is active; `planType` is the least plan type that may use it. */
export const TemplateSchema = z.looseObject({
  key: TemplateKeySchema,
  name: maybe(z.string()),
  planType: maybe(z.number()),
  status: maybe(z.number()),
  created: maybe(z.string()),
});
export type Template = z.output<typeof TemplateSchema>;

/** "List channel templates" in the API document. */
export function createTemplates(http: Http) {
  const records = recordsSchema(TemplateSchema);
  return {
    /** All of them: the list has no pages. */
    list(signal?: AbortSignal): Promise<Records<Template>> {
      return http.send({ method: 'GET', path: path`/v1/channels/templates`, retry: 'idempotent', expect: records, signal });
    },
  };
}
