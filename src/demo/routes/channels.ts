import type { DemoCall, Endpoint } from '../call.ts';
import { distort, findById } from '../distort.ts';
import { bareList, listReply } from '../lists.ts';
import type { DemoChannel } from '../records.ts';
import { failure, ok, type Reply } from '../requests.ts';
import { readChannelChange } from './channel-change.ts';

/** The former records of updated channels, with the number of reads that still answer them. */
const stale = new WeakMap<DemoChannel, { record: object; left: number }>();

/** The API document, sections List channels to List channel templates. */
export const CHANNEL_ROUTES: readonly Endpoint[] = [
  { api: 'main', method: 'GET', path: '/v1/channels', access: 'key', handle: listChannels },
  { api: 'main', method: 'GET', path: '/v1/channels/templates', access: 'key', handle: listTemplates },
  // After the templates, whose path would match as well.
  { api: 'main', method: 'GET', path: '/v1/channels/{id}', access: 'key', handle: getChannel },
  { api: 'main', method: 'POST', path: '/v1/channels', access: 'key', handle: createChannel },
  { api: 'main', method: 'PUT', path: '/v1/channels/{id}', access: 'key', handle: updateChannel },
];

function listChannels(call: DemoCall): Reply {
  const hidden = call.behaviour.inaccessibleChannels;
  const channels = [...call.world.channels.values()].filter((channel) => !hidden.has(channel.id));
  return listReply(call, 'channels', channels, (channel) => shown(channel, call, !call.behaviour.channelListOmitsContents));
}

function listTemplates({ world, behaviour }: DemoCall): Reply {
  return bareList('templates', world.templates, behaviour);
}

function getChannel(call: DemoCall): Reply {
  const channel = findChannel(call);
  if (channel === undefined) return failure(404, 'Channel not found.');
  const former = stale.get(channel);
  if (former === undefined || former.left <= 0) return ok(distort('channels', shown(channel, call), call.behaviour));
  former.left -= 1;
  return ok(distort('channels', former.record, call.behaviour));
}

function createChannel(call: DemoCall): Reply {
  const { world, behaviour } = call;
  const change = readChannelChange(call);
  if ('status' in change) return change;
  const channel = world.addChannel({ ...change, description: behaviour.createAcceptsDescription ? (change.description ?? '') : '' });
  const status = behaviour.createChannelStatus;
  if (behaviour.createChannelAnswer === 'empty') return { status };
  const record = behaviour.createChannelAnswer === 'record' ? shown(channel, call) : { id: channel.id };
  return { status, body: distort('channels', record, behaviour) };
}

function updateChannel(call: DemoCall): Reply {
  const channel = findChannel(call);
  if (channel === undefined) return failure(404, 'Channel not found.');
  const change = readChannelChange(call);
  if ('status' in change) return change;
  const { behaviour, world } = call;
  stale.set(channel, { record: shown(channel, call), left: behaviour.staleReads });
  const patch = behaviour.updateClearsUnsentList ? { videoKeys: [], projectKeys: [], ...change } : change;
  world.editChannel(channel.id, Object.fromEntries(Object.entries(patch).filter(([name]) => !behaviour.updateIgnores.has(name))));
  return ok(distort('channels', shown(channel, call), behaviour));
}

function findChannel({ world, behaviour, id }: DemoCall): DemoChannel | undefined {
  const channel = findById(world.channels, id, behaviour);
  return channel === undefined || behaviour.inaccessibleChannels.has(channel.id) ? undefined : channel;
}

function shown(channel: DemoChannel, { behaviour }: DemoCall, withContents = true): object {
  const { videoKeys, projectKeys, privateLinkEnabled: _hidden, ...record } = channel;
  const isFull = withContents && behaviour.channelRecordsShowContents;
  return isFull ? { ...record, videoKeys: [...videoKeys], projectKeys: [...projectKeys] } : record;
}
