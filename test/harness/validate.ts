/** Holds what a tool answers to the output schema that it advertises, whichever client called it. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { listing } from '../../src/mcp/listing.ts';
import type { TestClient } from './client.ts';

type Check = (input: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const ajv = new AjvJsonSchemaValidator();
const checks = new Map<string, Check>();

function checkOf(tool: string): Check | undefined {
  const schema: object | undefined = listing().tools.find(({ name }) => name === tool)?.outputSchema;
  if (schema !== undefined && !checks.has(tool)) checks.set(tool, ajv.getValidator({ ...schema }));
  return checks.get(tool);
}

/** The same client, whose calls fail where the answer is not what the tool advertises, or no text. */
export function holdToSchemas<C extends TestClient>(client: C): C {
  const { callTool } = client;
  client.callTool = async (name, args, options) => {
    const reply = await callTool(name, args, options);
    const result = reply.isError && reply.data === undefined ? undefined : checkOf(name)?.(reply.data);
    if (result?.valid === false) throw new Error(`${name}: structured content is not as advertised: ${result.errorMessage}`);
    if (reply.text.includes('[object Object]')) throw new Error(`${name}: an object stands in the text as [object Object]: ${reply.text}`);
    return reply;
  };
  return client;
}
