import * as z from 'zod';
import { pageOf } from '../../account/search.ts';
import { brief, listText, quoted, token } from '../answer/table.ts';
import { defineTool } from '../define-tool.ts';
import {
  ChannelOut,
  channelOut,
  nearestOut,
  PagerOut,
  pageArgument,
  pagerOut,
  planTypeArgument,
  sizeArgument,
  skippedOut,
  sortArgument,
  sortedOut,
} from '../shapes.ts';

export const listChannels = defineTool({
  name: 'list_channels',
  title: 'List channels',
  description:
    'Channels of the account, a page at a time; with search, matches in name, description, key or id over all pages. Contents are not listed.',
  effect: 'read',
  input: { search: z.string().max(200).optional(), planType: planTypeArgument, sort: sortArgument, page: pageArgument, size: sizeArgument },
  output: { pager: PagerOut, channels: z.array(ChannelOut) },
  cuttable: ['channels'],
  run: async ({ search, ...query }, { client, account, signal, progress }) => {
    if (search === undefined || search.trim() === '') {
      const found = await client.channels.list(query, signal);
      return {
        pager: pagerOut(found.pager),
        channels: found.items.map(channelOut),
        ...sortedOut(query.sort, found.pager),
        ...skippedOut(found),
      };
    }
    const { page, size, ...filter } = query;
    const found = await account.searchChannels(search, { signal, progress }, filter);
    const { pager, items } = pageOf(found.items, query);
    return { pager, channels: items.map(channelOut), ...skippedOut(found), ...nearestOut(found) };
  },
  present: ({ channels, ...rest }) =>
    listText('channels', rest, channels, {
      id: ({ id }) => token(id),
      key: ({ key }) => token(key),
      name: ({ name }) => quoted(name),
      plan: ({ planTypeName }) => planTypeName,
      template: ({ templateKey }) => token(templateKey),
      updated: ({ updated }) => token(updated?.slice(0, 'YYYY-MM-DD'.length)),
      description: ({ description }) => brief(description),
    }),
});
