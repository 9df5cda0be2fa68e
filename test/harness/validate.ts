/** Validates structured content with the tool's output schema, as it is listed and as it is defined, for every kind of client. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { outputSchema } from '../../src/mcp/define-tool.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import type { TestClient } from './client.ts';

type Check = (input: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const ajv = new AjvJsonSchemaValidator();
const checks = new Map<string, Check>();

function checkOf(tool: string): Check | undefined {
  const schema: object | undefined = listing().tools.find(({ name }) => name === tool)?.outputSchema;
  if (schema !== undefined && !checks.has(tool)) checks.set(tool, ajv.getValidator({ ...schema }));
  return checks.get(tool);
}

/** What of an answer the definition, which says more than is listed, does not allow. */
function defectsIn(tool: string, answer: unknown): string | undefined {
  const definition = tools.find(({ name }) => name === tool);
  return (definition && outputSchema(definition))?.safeParse(answer).error?.message;
}

/** The same client, whose calls fail if the answer does not match the output schema, or its text shows an object. */
export function withValidation<C extends TestClient>(client: C): C {
  const { callTool } = client;
  client.callTool = async (name, args, options) => {
    const reply = await callTool(name, args, options);
    const result = reply.isError && reply.data === undefined ? undefined : checkOf(name)?.(reply.data);
    if (result?.valid === false)
      throw new Error(`${name}: the structured content does not match the output schema: ${result.errorMessage}`);
    const defects = reply.isError ? undefined : defectsIn(name, reply.data);
    if (defects !== undefined) throw new Error(`${name}: the structured content does not match the definition: ${defects}`);
    if (reply.text.includes('[object Object]')) throw new Error(`${name}: the text contains [object Object]: ${reply.text}`);
    return reply;
  };
  return client;
}
