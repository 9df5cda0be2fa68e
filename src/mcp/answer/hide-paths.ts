import type { ToolReply } from '../app-contract.ts';

const INSTEAD = 'a file of the server';

/**
 * Puts words in the place of each path below one of the roots: whoever calls from another machine has no use for it, and it tells of
 * this one. What is known to name paths leaves them out; this is for what an error of the system, or a setting, brings along.
 */
export function createPathHider(roots: readonly string[]): (reply: ToolReply) => ToolReply {
  const known = [...new Set(roots)].filter((root) => root.length > 1).toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return (reply) => reply;
  const paths = new RegExp(`(?:${known.map(escaped).join('|')})(?:[\\\\/][^\\s"'()]*)?`, 'g');
  const hidden = (text: string): string => text.replace(paths, INSTEAD);
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return hidden(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inValue(inner)]));
  };
  return (reply) => ({
    ...reply,
    content: reply.content.map((block) => (block.type === 'text' ? { ...block, text: hidden(block.text) } : block)),
    // Of the same shape.
    ...(reply.structuredContent && { structuredContent: inValue(reply.structuredContent) as typeof reply.structuredContent }),
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
