import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { defineTool } from '../define-tool.ts';
import { ChannelOut, listedChannelOut } from '../schemas/channel-schemas.ts';
import { listNotes, listOrSearch, PagerOut, pageArgument, planTypeArgument, sizeArgument, sortArgument } from '../schemas/shapes.ts';

export const listChannels = defineTool({
  name: 'list_channels',
  title: 'List channels',
  description:
    'Channels (playlists of videos) of the account, a page at a time; with search, matches in name, description, key or id over all pages. get_channel has contents, where contentsKnown. No channel can be deleted here: empty it, rename it or set privateLinkEnabled with update_channels.',
  effect: 'read',
  input: { search: z.string().max(200).optional(), planType: planTypeArgument, sort: sortArgument, page: pageArgument, size: sizeArgument },
  output: { pager: PagerOut, channels: z.array(ChannelOut), ...listNotes },
  cuttable: ['channels'],
  run: async ({ search, page, size, ...filter }, { client, account, sentContents, templateNames, signal, progress }) => {
    const query = { ...filter, page, size };
    const list = () => client.channels.list(query, signal);
    const find = (text: string) => account.searchChannels(text, { signal, progress }, filter);
    const { items, ...rest } = await listOrSearch(search, query, list, find);
    const templateOf = await templateNames(items, signal);
    const sent = sentContents(items);
    const channels = items.map(async (channel) => {
      const { known: contentsKnown } = await contentsOf(channel, sent);
      return { ...listedChannelOut(channel, items.length, query.sort), templateName: templateOf(channel).templateName, contentsKnown };
    });
    return { ...rest, channels: await Promise.all(channels) };
  },
});
