import * as z from 'zod';
import { CONTENTS, contentsOf, type ListName } from '../../account/contents.ts';
import { renamedText } from '../../account/references.ts';
import { titlesIn } from '../../account/video-references.ts';
import { CHANNEL_FIELDS, rowOf } from '../../changes/plan/channel-fields.ts';
import { listed, sentenceOut } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';
import { ChannelOut, channelOut } from '../schemas/channel-schemas.ts';
import { contentsSource, listedOnlyNotes, referenceArgument } from '../schemas/shapes.ts';

const countOf = (list: ListName): string => `${CHANNEL_FIELDS[list].word}Count`;
const LISTS = Object.fromEntries(
  CONTENTS.flatMap((list) => [[countOf(list), z.int().optional()] as const, [list, z.array(z.string()).optional()] as const]),
);

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
      ...LISTS,
      source: sentenceOut(),
      asOf: z.string().optional(),
      next: sentenceOut().optional(),
    }),
    notes: z.array(sentenceOut()).optional(),
  },
  cuttable: CONTENTS.map((list) => `contents.${list}` as const),
  run: async ({ channel: reference }, { account, catalogue, sentContents, formerContents, templateNames, signal, progress }) => {
    const { record: channel, refusal, former } = await account.findChannel(reference, { signal, progress });
    const contents = await contentsOf(channel, sentContents(), formerContents);
    const templateOf = await templateNames([channel], signal);
    const titled = CONTENTS.flatMap((list) => (rowOf(list).hasTitles && contents[list]) || []);
    const titleOf = titlesIn(titled.length === 0 ? undefined : await catalogue());
    const titles = titled.flatMap((key) => {
      const title = titleOf(key);
      return title === undefined ? [] : [[key, title] as const];
    });
    const notes = [...(former === undefined ? [] : [renamedText(former, channel)]), ...listedOnlyNotes('channel', refusal)];
    return {
      channel: { ...channelOut(channel), ...templateOf(channel) },
      contents: {
        ...contentsSource(contents, channel),
        // Of all, also if the answer is cut.
        ...Object.fromEntries(
          CONTENTS.flatMap((list) => [[countOf(list), contents[list]?.length] as const, [list, contents[list]] as const]),
        ),
        titles: titles.length > 0 ? Object.fromEntries(titles) : undefined,
      },
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
});
