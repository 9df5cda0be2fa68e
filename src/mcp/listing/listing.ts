import * as z from 'zod';
import { isListed, isOfSentences, isUnlisted } from '../answer/answer-schema.ts';
import type { ListedTool, Listing } from '../app-contract.ts';
import { inputSchema, outputSchema, type Tool } from '../define-tool.ts';
import { prompts } from '../prompts/index.ts';
import { resources, resourceTemplates } from '../resources/index.ts';
import { tools } from '../tools/index.ts';

/** The build replaces this module by the function's result, so that a start does not convert some twenty schemas. */
export function listing(): Listing {
  made ??= makeListing();
  return made;
}

let made: Listing | undefined;

function makeListing(): Listing {
  return {
    tools: tools.map(listedTool),
    effects: Object.fromEntries(tools.map((tool) => [tool.name, tool.effect])),
    prompts: prompts.map(({ text: _, ...prompt }) => ({
      ...prompt,
      arguments: prompt.arguments.map(({ names: _, ...argument }) => argument),
    })),
    resources: resources.map(({ read: _, ...resource }) => ({ ...resource, mimeType: 'application/json' })),
    resourceTemplates: resourceTemplates.map(({ read: _, mimeType = 'application/json', ...template }) => ({ ...template, mimeType })),
  };
}

function listedTool(tool: Tool): ListedTool {
  const changes = tool.effect === 'change' || tool.effect === 'confirm';
  const output = outputSchema(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(inputSchema(tool), 'input'),
    ...(output && { outputSchema: jsonSchema(output, 'output') }),
    // Clients of before the extension was stable read the second.
    ...(tool.view === undefined ? {} : { _meta: { ui: { resourceUri: tool.view }, 'ui/resourceUri': tool.view } }),
    annotations: {
      readOnlyHint: tool.effect === 'read' || tool.effect === 'setup',
      destructiveHint: tool.effect === 'confirm' || (tool.effect === 'change' && tool.destructive),
      idempotentHint: !changes && tool.effect !== 'export',
      openWorldHint: true,
    },
  };
}

/** JSON Schema 2020-12, without what no model needs: the schemas take room in every user's context. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'throw',
    override: ({ zodSchema, jsonSchema, path }) => {
      removeDefaults(jsonSchema);
      if (io === 'input') removeUnlikely(zodSchema, jsonSchema);
      else if (zodSchema instanceof z.ZodObject) removeUnpromised(zodSchema, jsonSchema, path.length > 0);
    },
  });
  return JSON.parse(JSON.stringify(rest), (_, node) => (Array.isArray(node?.type) ? typesAsAnyOf(node) : node));
}

/**
 * Removes from an object of an answer what is not promised, though it is there: sentences, which people and models read and no
 * program does, and of a record in an answer all but what is marked as `listed`.
 */
function removeUnpromised({ shape }: z.ZodObject, node: Schema, isRecord: boolean): void {
  const { properties = {}, required = [] } = node;
  for (const [name, field] of Object.entries(shape)) {
    const isPromised = isRecord ? isListed(field) : !isUnlisted(field) && !isOfSentences(field);
    if (!isPromised) delete properties[name];
  }
  node.required = required.filter((name) => name in properties);
  if (node.required.length === 0) delete node.required;
  if (Object.keys(properties).length === 0) delete node.properties;
}

/** Removes from an argument what is checked all the same: limits that nobody meets by accident, and other ways to write a value. */
function removeUnlikely(schema: z.core.$ZodType, node: Schema): void {
  if (node.minLength === 1) delete node.minLength;
  if ((node.maxLength ?? 0) >= MAX_LISTED_LENGTH) delete node.maxLength;
  if ((node.maximum ?? 0) >= MAX_LISTED_NUMBER) delete node.maximum;
  if ((node.maxItems ?? 0) >= MAX_LISTED_NUMBER) delete node.maxItems;
  if (schema instanceof z.ZodUnion) {
    const [first] = node.anyOf ?? [];
    delete node.anyOf;
    Object.assign(node, first);
  }
}

type Schema = z.core.JSONSchema.BaseSchema;

const MAX_LISTED_LENGTH = 200;
const MAX_LISTED_NUMBER = 100_000;

/** Replaces a list of types by `anyOf`: some clients convert schemas into a form that has no such lists. */
function typesAsAnyOf({ type, ...rest }: { readonly type: readonly string[] }): Record<string, unknown> {
  return { ...rest, anyOf: type.map((type) => ({ type })) };
}

function removeDefaults(node: Schema): void {
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (typeof node.additionalProperties === 'object' && Object.keys(node.additionalProperties ?? {}).length === 0)
    delete node.additionalProperties;
  delete node.propertyNames;
}
