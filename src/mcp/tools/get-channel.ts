import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { titlesIn } from '../../account/video-references.ts';
import { listed, sentenceOut } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';
import { ChannelOut, channelOut, contentsSource, listedOnlyNotes, referenceArgument } from '../shapes.ts';

export const getChannel = defineTool({
  name: 'get_channel',
  title: 'Get a channel',
  description:
    'One channel (playlist), and which videos and projects it holds, in order, where that is known. Where contents.known is false, only the user can tell.',
  effect: 'read',
  input: { channel: referenceArgument('Channel') },
  output: {
    channel: ChannelOut,
    contents: z.looseObject({
      known: listed(z.boolean()),
      videoCount: z.int().optional(),
      videoKeys: z.array(z.string()).optional(),
      projectCount: z.int().optional(),
      projectKeys: z.array(z.string()).optional(),
      source: sentenceOut(),
      asOf: z.string().optional(),
      next: sentenceOut().optional(),
    }),
    notes: z.array(sentenceOut()).optional(),
  },
  cuttable: ['contents.videoKeys', 'contents.projectKeys'],
  run: async ({ channel: reference }, { account, catalogue, sentContents, templateNames, signal, progress }) => {
    const { record: channel, refusal } = await account.findChannel(reference, { signal, progress });
    const contents = await contentsOf(channel, sentContents());
    const { videoKeys, projectKeys } = contents;
    const templateOf = await templateNames([channel], signal);
    const titleOf = titlesIn(videoKeys && (await catalogue().catch(() => undefined)));
    const titles = (videoKeys ?? []).flatMap((key) => {
      const title = titleOf(key);
      return title === undefined ? [] : [[key, title] as const];
    });
    const notes = listedOnlyNotes('channel', refusal);
    return {
      channel: { ...channelOut(channel), ...templateOf(channel) },
      contents: {
        ...contentsSource(contents),
        // Of all, also if the answer is cut.
        videoCount: videoKeys?.length,
        videoKeys: videoKeys && [...videoKeys],
        titles: titles.length > 0 ? Object.fromEntries(titles) : undefined,
        projectCount: projectKeys?.length,
        projectKeys: projectKeys && [...projectKeys],
      },
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
});
