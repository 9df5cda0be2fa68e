import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { defineTool } from '../define-tool.ts';
import { ChannelOut, channelOut, referenceArgument } from '../shapes.ts';

export const getChannel = defineTool({
  name: 'get_channel',
  title: 'Get a channel',
  description: 'One channel, and what it holds where that is known. contents.known is false where nobody can tell: do not guess.',
  effect: 'read',
  input: { channel: referenceArgument('Channel') },
  output: {
    channel: ChannelOut,
    contents: z.looseObject({
      known: z.boolean(),
      videoKeys: z.array(z.string()).optional(),
      projectKeys: z.array(z.string()).optional(),
      source: z.string(),
      asOf: z.string().optional(),
    }),
  },
  run: async ({ channel: reference }, { account, sentContents, signal, progress }) => {
    const channel = await account.findChannel(reference, { signal, progress });
    const { videoKeys, projectKeys, ...contents } = await contentsOf(channel, sentContents);
    return {
      channel: channelOut(channel),
      contents: { ...contents, ...(videoKeys && { videoKeys: [...videoKeys] }), ...(projectKeys && { projectKeys: [...projectKeys] }) },
    };
  },
  present: ({ channel, contents }) => {
    const { id, key, name, description, version, planTypeName, templateKey, statusName, status, updated } = channel;
    return [
      `Channel ${JSON.stringify(name ?? '')}, id ${id}, key ${key ?? '-'}.`,
      `Description: ${JSON.stringify(description ?? '')}.`,
      `Version ${version ?? '?'}, updated ${updated ?? '?'}, plan type ${planTypeName ?? '?'}, status ${status ?? '?'} (${statusName ?? 'not shown'}), template ${templateKey || 'default'}.`,
      contents.known
        ? `Holds ${count(contents.videoKeys, 'videos')}, ${count(contents.projectKeys, 'projects')} (source: ${contents.source}, as of ${contents.asOf ?? '?'}).`
        : 'What it holds is not known: the service does not tell, and this server did not write it last.',
    ].join('\n');
  },
});

function count(keys: readonly string[] | undefined, what: string): string {
  if (keys === undefined) return `${what} not known`;
  const shown = keys.slice(0, 10).join(', ');
  return `${keys.length} ${what}${keys.length === 0 ? '' : ` (${shown}${keys.length > 10 ? ', …' : ''})`}`;
}
