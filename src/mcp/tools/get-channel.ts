import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { defineTool } from '../define-tool.ts';
import { token } from '../present/table.ts';
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
      videoCount: z.int().optional(),
      videoKeys: z.array(z.string()).optional(),
      projectCount: z.int().optional(),
      projectKeys: z.array(z.string()).optional(),
      source: z.string(),
      asOf: z.string().optional(),
    }),
  },
  cuttable: ['contents.videoKeys', 'contents.projectKeys'],
  run: async ({ channel: reference }, { account, sentContents, signal, progress }) => {
    const channel = await account.findChannel(reference, { signal, progress });
    const { videoKeys, projectKeys, ...contents } = await contentsOf(channel, sentContents());
    // The counts are of all, also where a long list is cut to fit the answer.
    const videos = videoKeys && { videoCount: videoKeys.length, videoKeys: [...videoKeys] };
    const projects = projectKeys && { projectCount: projectKeys.length, projectKeys: [...projectKeys] };
    return { channel: channelOut(channel), contents: { ...contents, ...videos, ...projects } };
  },
  present: ({ channel, contents, ...rest }) => {
    const { id, key, name, description, version, planTypeName, templateKey, statusName, status, updated } = channel;
    return [
      `Channel ${JSON.stringify(name ?? '')}, id ${token(id)}, key ${token(key) ?? '-'}.`,
      `Description: ${JSON.stringify(description ?? '')}.`,
      `Version ${version ?? '?'}, updated ${token(updated) ?? '?'}, plan type ${planTypeName ?? '?'}, status ${status ?? '?'} (${statusName ?? 'not shown'}), template ${token(templateKey) || 'default'}.`,
      contents.known
        ? `Holds ${count(contents.videoKeys, contents.videoCount, 'videos')}, ${count(contents.projectKeys, contents.projectCount, 'projects')} (source: ${contents.source}, as of ${token(contents.asOf) ?? '?'}).`
        : 'What it holds is not known: the service does not tell, and this server did not write it last.',
      ...('omitted' in rest ? [String(rest.omitted)] : []),
    ].join('\n');
  },
});

function count(keys: readonly string[] | undefined, total: number | undefined, what: string): string {
  if (keys === undefined) return `${what} not known`;
  const shown = keys.slice(0, 10).map(token).join(', ');
  return `${total ?? keys.length} ${what}${keys.length === 0 ? '' : ` (${shown}${keys.length > 10 ? ', …' : ''})`}`;
}
