import * as z from 'zod';
import type { ListedTool, Listing } from './app-contract.ts';
import { inputSchema, outputSchema, type Tool } from './define-tool.ts';
import { prompts } from './prompts/index.ts';
import { resources, resourceTemplates } from './resources/index.ts';
import { tools } from './tools/index.ts';

/**
 * Everything that the server lists, from the definitions that it runs. The build calls this and puts its answer in
 * this module's place, so that a start doesn't pay for some twenty schemas.
 */
export function listing(): Listing {
  return {
    tools: tools.map(listedTool),
    changes: tools.filter((tool) => tool.effect === 'change').map((tool) => tool.name),
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map(({ name, description, required }) => ({ name, description, required })),
    })),
    resources: resources.map(({ uri, name, title, description }) => ({ uri, name, title, description, mimeType: 'application/json' })),
    resourceTemplates: resourceTemplates.map(({ uriTemplate, name, title, description, mimeType = 'application/json' }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType,
    })),
  };
}

function listedTool(tool: Tool): ListedTool {
  const changes = tool.effect === 'change';
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(inputSchema(tool), 'input'),
    outputSchema: jsonSchema(outputSchema(tool), 'output'),
    annotations: {
      readOnlyHint: tool.effect === 'read' || tool.effect === 'setup',
      destructiveHint: changes && tool.destructive,
      idempotentHint: !changes && tool.effect !== 'export',
      openWorldHint: true,
    },
  };
}

/** JSON Schema 2020-12, without what every user's context would pay for and no model needs. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'throw', override: ({ jsonSchema }) => thin(jsonSchema) });
  return JSON.parse(JSON.stringify(rest), (_, node) => (Array.isArray(node?.type) ? oneTypeEach(node) : node));
}

/** The same with one type in a place: a client that makes another kind of schema of it may know no list of them. */
function oneTypeEach({ type, ...rest }: { readonly type: readonly string[] }): Record<string, unknown> {
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}

function thin(node: Record<string, unknown>): void {
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (typeof node.additionalProperties === 'object' && Object.keys(node.additionalProperties ?? {}).length === 0)
    delete node.additionalProperties;
  delete node.propertyNames;
}
