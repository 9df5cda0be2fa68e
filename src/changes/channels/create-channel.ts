import { seenOf } from '../../account/contents.ts';
import { notInCatalogue, titlesIn, translateVideos } from '../../account/video-references.ts';
import { allOrProblems, invalidArguments, throwProblems } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ChannelId, TemplateKey, VideoKey } from '../../service/ids.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { creationPlan, namesakesIn } from '../creation-plan.ts';
import { listed, repeatedIn } from '../listed.ts';
import type { ChangePlanner } from '../plan.ts';
import type { PlanDeps } from './channel-change.ts';
import { limitProblems, templateProblems } from './limits.ts';

export interface NewChannel {
  readonly name: string;
  readonly videoKeys: readonly string[];
  readonly description?: string | undefined;
  readonly templateKey?: string | undefined;
}

/** Plans a new channel ("Create channel" in the API document). */
export function planNewChannel(channel: NewChannel, { client, account, catalogue }: PlanDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const { name, description } = channel;
    const templateKey = channel.templateKey === '' ? undefined : channel.templateKey;
    const videos = await catalogue();
    const [{ values: videoKeys, unknown }] = await allOrProblems(
      () => {
        const translated = translateVideos(channel.videoKeys, 'key', 'videoKeys', videos);
        const repeated = [...new Set(repeatedIn(translated.values))];
        if (repeated.length > 0) throw invalidArguments([{ field: 'videoKeys', problem: `names ${listed(repeated)} more than once.` }]);
        return translated;
      },
      async () => {
        const templates = templateKey === undefined ? [] : (await client.templates.list(signal)).items;
        throwProblems([...limitProblems('', channel), ...templateProblems('', channel, templates)]);
      },
    );
    const namesakes = await namesakesIn(account.allChannels({ signal, progress }), name);
    const shown = (text: string) => JSON.stringify(cleanText(text, 120));
    return creationPlan({
      kind: 'create_channel',
      what: 'channel',
      name,
      after: definedFields({ name, videoKeys, description, templateKey }),
      lines: [
        `videos: ${videoKeys.length}${videoKeys.length > 0 ? ` (${listed(videoKeys, undefined, titlesIn(videos))})` : ''}`,
        ...(description === undefined ? [] : [`description: ${shown(description)}`]),
        `template: ${templateKey === undefined ? 'default' : shown(templateKey)}`,
      ],
      warnings: [
        ...(videoKeys.length === 0 ? ['Whether a channel without videos is accepted is not documented.'] : []),
        ...(unknown > 0
          ? [`The video catalogue does not know ${unknown} of these keys: ${listed(notInCatalogue(videoKeys, videos))}.`]
          : []),
      ],
      namesakes,
      create: async ({ approval }) => {
        // The service names the keys that it does not know.
        const { record } = await client.channels.create(approval, {
          name,
          videoKeys: videoKeys as readonly VideoKey[],
          description,
          templateKey: templateKey as TemplateKey | undefined,
        });
        return record && { id: record.id, key: record.key, seen: seenOf(record), shown: record };
      },
      read: (id) => client.channels.get(id as ChannelId),
      all: () => account.allChannels({}),
    });
  };
}
