import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { titlesIn } from '../../account/video-references.ts';
import { token } from '../answer/table.ts';
import { contentsOut } from '../contents-out.ts';
import { defineTool } from '../define-tool.ts';
import { ChannelOut, channelOut, listedOnlyOut, referenceArgument } from '../shapes.ts';
import { templateNamesOf } from '../template-names.ts';

/** Keys in the text of an answer: to reorder a channel, the model has to know all of them. */
const MAX_SHOWN = 150;

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
      next: z.string().optional(),
    }),
    note: z.string().optional(),
  },
  cuttable: ['contents.videoKeys', 'contents.projectKeys'],
  run: async ({ channel: reference }, { client, account, catalogue, sentContents, signal, progress }) => {
    const { record: channel, refusal } = await account.findChannel(reference, { signal, progress });
    const contents = await contentsOf(channel, sentContents());
    const { videoKeys, projectKeys } = contents;
    const templateOf = await templateNamesOf([channel], client, signal);
    const titleOf = titlesIn(videoKeys && (await catalogue().catch(() => undefined)));
    const titles = videoKeys?.slice(0, MAX_SHOWN).map(titleOf);
    return {
      channel: { ...channelOut(channel), ...templateOf(channel) },
      contents: {
        ...contentsOut(contents),
        // Of all, also if the answer is cut.
        videoCount: videoKeys?.length,
        videoKeys: videoKeys && [...videoKeys],
        videoTitles: titles?.some((title) => title !== undefined) ? titles.map((title) => title ?? null) : undefined,
        projectCount: projectKeys?.length,
        projectKeys: projectKeys && [...projectKeys],
      },
      ...listedOnlyOut('channel', refusal),
    };
  },
  present: ({ channel, contents, note, ...rest }) => {
    const { id, key, name, description, version, planTypeName, templateKey, templateName, statusName, status, updated } = channel;
    return [
      `Channel ${JSON.stringify(name ?? '')}, id ${token(id)}, key ${token(key) ?? '-'}.`,
      `Description: ${JSON.stringify(description ?? '')}.`,
      `Version ${version ?? '?'}, updated ${token(updated) ?? '?'}, plan type ${planTypeName ?? '?'}, status ${status ?? '?'} (${statusName ?? 'not shown'}), template ${token(templateKey) || 'default'}${templateName === undefined ? '' : ` ${JSON.stringify(templateName)}`}.`,
      contents.known
        ? `Holds ${count(contents.videoKeys, contents.videoCount, 'videos', contents.videoTitles)}, ${count(contents.projectKeys, contents.projectCount, 'projects')} (${contents.source}).`
        : `What it holds is ${contents.source}. ${contents.next}`,
      ...(note === undefined ? [] : [note]),
      ...('omitted' in rest ? [String(rest.omitted)] : []),
    ].join('\n');
  },
});

function count(keys: readonly string[] | undefined, total: number | undefined, what: string, titles: unknown = []): string {
  if (keys === undefined) return `${what} not known`;
  // Made by `run` above.
  const titleAt = (index: number) => (titles as readonly (string | null)[])[index] ?? null;
  const shown = keys.slice(0, MAX_SHOWN).map((key, index) => {
    const title = titleAt(index);
    return `${token(key)}${title === null ? '' : ` ${JSON.stringify(title)}`}`;
  });
  const all = total ?? keys.length;
  const more = all > shown.length ? ` and ${all - shown.length} more, listed in the structured content` : '';
  return `${all} ${what}${keys.length === 0 ? '' : ` (${shown.join(', ')}${more})`}`;
}
