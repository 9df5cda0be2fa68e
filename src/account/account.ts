import { definedFields } from '../platform/defined-fields.ts';
import type { ServiceClient } from '../service/client.ts';
import type { ListQuery } from '../service/list.ts';
import type { Channel } from '../service/resources/channels.ts';
import type { Project, ProjectQuery } from '../service/resources/projects.ts';
import { sentence } from '../text/sentence.ts';
import { contentsOf, type SentLookup } from './contents.ts';
import { createRecordFinder, type FindOptions, type FoundRecord } from './record-finder.ts';
import type { FormerNames } from './references.ts';

/** The channels and projects of an account, found by id, key or name. Nothing is cached. */
export function createAccount(
  client: Pick<ServiceClient, 'channels' | 'projects'>,
  sentContents: (channels: readonly Channel[]) => SentLookup,
  formerChannelNames: FormerNames,
) {
  const channels = createRecordFinder<Channel, ListQuery>('channel', client.channels, {
    async notesOn(candidates) {
      const sent = sentContents(candidates);
      const known = await Promise.all(candidates.map((channel) => contentsOf(channel, sent)));
      return new Map(candidates.map((channel, at) => [channel, known[at]?.known === true ? KNOWN : NOT_KNOWN]));
    },
    formerNames: formerChannelNames,
  });
  // Nothing here renames a project.
  const projects = createRecordFinder<Project, ProjectQuery>('project', client.projects);
  return {
    allChannels: channels.all,
    allProjects: projects.all,
    searchChannels: channels.search,
    searchProjects: projects.search,
    readChannels: channels.readNamed,
    readProjects: projects.readNamed,
    nameChannel: channels.name,
    nameProject: async (...named: Parameters<typeof projects.name>) => (await projects.name(...named)).record,
    findChannel: channels.find,
    /** A project with its options: where the single record comes without them, from the list, which documents them. */
    async findProject(reference: string, options: FindOptions): Promise<FoundRecord<Project>> {
      const found = await projects.find(reference, options);
      const { record, refusal } = found;
      if (refusal !== undefined || (record.options !== undefined && record.videoOptions !== undefined)) return found;
      const { items } = await client.projects.list({ projectId: record.id }, options.signal);
      return { record: { ...items.find(({ id }) => id === record.id), ...definedFields(record) } };
    },
  };
}

// As lists show it.
const KNOWN = sentence`contentsKnown: true`;
const NOT_KNOWN = sentence`contentsKnown: false`;

export type Account = ReturnType<typeof createAccount>;
