import type { Call, Route } from '../call.ts';
import { numericId } from '../content/identifiers.ts';
import { distort } from '../distort.ts';
import { bareList, listReply } from '../lists.ts';
import type { DemoChannel } from '../records.ts';
import { ok, type Reply, refusal } from '../requests.ts';
import { type ChannelChange, readChannelChange } from './channel-change.ts';

/** What reads of a channel answer for a while after its update, where the service is slow to notice. */
const stale = new WeakMap<DemoChannel, { record: object; left: number }>();

/** The API document, sections List channels to List channel templates. */
export const CHANNEL_ROUTES: readonly Route[] = [
  { api: 'main', method: 'GET', path: '/v1/channels', access: 'key', handle: listChannels },
  { api: 'main', method: 'GET', path: '/v1/channels/templates', access: 'key', handle: listTemplates },
  { api: 'main', method: 'GET', path: '/v1/channels/{id}', access: 'key', handle: getChannel },
  { api: 'main', method: 'POST', path: '/v1/channels', access: 'key', handle: createChannel },
  { api: 'main', method: 'PUT', path: '/v1/channels/{id}', access: 'key', handle: updateChannel },
];

function listChannels(call: Call): Reply {
  const hidden = call.behaviour.inaccessibleChannels;
  const channels = [...call.world.channels.values()].filter((channel) => !hidden.has(channel.id));
  return listReply(call, 'channels', channels, (channel) => shown(channel, call, !call.behaviour.channelListOmitsContents));
}

function listTemplates(call: Call): Reply {
  return bareList('templates', call.world.templates, call.behaviour);
}

function getChannel(call: Call): Reply {
  const channel = findChannel(call);
  if (channel === undefined) return refusal(404, 'Channel not found.');
  const former = stale.get(channel);
  if (former === undefined || former.left <= 0) return ok(distort('channels', shown(channel, call), call.behaviour));
  former.left -= 1;
  return ok(distort('channels', former.record, call.behaviour));
}

function createChannel(call: Call): Reply {
  const { world, behaviour } = call;
  const change = readChannelChange(call, behaviour.createNeedsContents);
  if ('status' in change) return change;
  const description = behaviour.createAcceptsDescription ? (change.description ?? '') : '';
  const channel = world.addChannel({ ...contentsOf(change), name: change.name, description, templateKey: change.templateKey ?? '' });
  if (change.privateLinkEnabled !== undefined) channel.privateLinkEnabled = change.privateLinkEnabled;
  const status = behaviour.createChannelStatus;
  if (behaviour.createChannelAnswer === 'empty') return { status };
  const record = behaviour.createChannelAnswer === 'record' ? shown(channel, call) : { id: channel.id };
  return { status, body: distort('channels', record, behaviour) };
}

function updateChannel(call: Call): Reply {
  const channel = findChannel(call);
  if (channel === undefined) return refusal(404, 'Channel not found.');
  const change = readChannelChange(call, true);
  if ('status' in change) return change;
  const { behaviour, world } = call;
  stale.set(channel, { record: shown(channel, call), left: behaviour.staleReads });
  const { videoKeys, projectKeys, ...fields } = change;
  const lists = behaviour.updateClearsUnsentList
    ? contentsOf(change)
    : { ...(videoKeys && { videoKeys }), ...(projectKeys && { projectKeys }) };
  const patch = Object.entries({ ...fields, ...lists }).filter(
    ([name, value]) => value !== undefined && !behaviour.updateIgnores.has(name),
  );
  world.editChannel(channel.id, Object.fromEntries(patch));
  return ok(distort('channels', shown(channel, call), behaviour));
}

function contentsOf(change: ChannelChange): { videoKeys: string[]; projectKeys: string[] } {
  return { videoKeys: change.videoKeys ?? [], projectKeys: change.projectKeys ?? [] };
}

function findChannel({ world, behaviour, id }: Call): DemoChannel | undefined {
  const channel = world.channels.get(id) ?? (behaviour.numericIds ? withNumber(world.channels.values(), id) : undefined);
  return channel === undefined || behaviour.inaccessibleChannels.has(channel.id) ? undefined : channel;
}

/** The record whose id is sent as this number. */
export function withNumber<T extends { id: string }>(records: Iterable<T>, asked: string): T | undefined {
  for (const record of records) if (String(numericId(record.id)) === asked) return record;
  return undefined;
}

function shown(channel: DemoChannel, { behaviour }: Call, withContents = true): object {
  const { videoKeys, projectKeys, privateLinkEnabled: _hidden, ...record } = channel;
  return withContents && behaviour.channelRecordsShowContents
    ? { ...record, videoKeys: [...videoKeys], projectKeys: [...projectKeys] }
    : record;
}
