/** Translates a history for the service: the account it begins with, edits by others, arguments of calls. */
import type { Values } from '../../../harness/client.ts';
import { recordsIn } from '../../../harness/client.ts';
import type { DemoService } from '../../../harness/service.ts';
import type { Edit, Setting, Want, Word } from './commands.ts';
import type { Names, Stated } from './ledger.ts';
import { templateAt, type Watch } from './watch.ts';

export function prepare(demo: DemoService, setting: Setting): Names & { readonly numberOf: (key: string) => number } {
  const { world, behaviour } = demo;
  const videos = [...world.videosByKey.keys()];
  const projects = [...world.projects.values()].map(({ key }) => key);
  const names = {
    video: (at: number) => String(videos[at]),
    project: (at: number) => String(projects[at]),
    numberOf: (key: string) => videos.indexOf(key),
  };
  for (const [at, channel] of [...world.channels.values()].entries()) {
    const [held, of] = setting.contents[at] ?? [[], []];
    Object.assign(channel, { name: `Channel ${at}`, videoKeys: held.map(names.video), projectKeys: of.map(names.project) });
  }
  Object.assign(behaviour, {
    updateClearsUnsentList: setting.clears,
    channelRecordsShowContents: setting.shows,
    emptyListCountsAsGiven: setting.emptyCounts,
    missingFields: setting.missing,
    nullFields: setting.nulls,
    distorts: new Set(['channels']),
    numericIds: setting.numericIds,
    unknownTemplateKey: setting.templates,
    updateIgnores: new Set(setting.ignores),
    createChannelAnswer: setting.createAnswer,
  });
  return names;
}

export function editElsewhere(demo: DemoService, id: string, { name, videos, projects, template }: Edit, names: Names, watch: Watch): void {
  demo.world.editChannel(id, {
    ...(name === undefined ? {} : { name }),
    ...(videos === undefined ? {} : { videoKeys: videos.map(names.video) }),
    ...(projects === undefined ? {} : { projectKeys: projects.map(names.project) }),
    ...(template === undefined ? {} : { templateKey: templateAt(demo, template) }),
  });
  watch.ledger.note(id);
}

export function argsOf(demo: DemoService, channel: string, want: Want, { video, project }: Names, stated: Stated | undefined): Values {
  const keys = (name: string, list: readonly number[] | undefined) => (list === undefined ? {} : { [name]: list.map(video) });
  return {
    channel,
    ...(want.name === undefined ? {} : { name: want.name }),
    ...(want.description === undefined ? {} : { description: want.description }),
    ...(want.template === undefined ? {} : { template: templateAt(demo, want.template) }),
    ...(want.privateLink === undefined ? {} : { privateLinkEnabled: want.privateLink }),
    ...keys('setVideoKeys', want.set),
    ...keys('addVideoKeys', want.add),
    ...keys('removeVideoKeys', want.remove),
    ...keys('firstVideoKeys', want.first),
    ...(stated === undefined ? {} : { currentVideoKeys: stated.videoKeys, currentProjectKeys: stated.projectKeys }),
    ...(want.projects === undefined ? {} : { setProjectKeys: want.projects.map(project) }),
  };
}

/** What a person who looked elsewhere states that a channel holds. */
export function statementOf(demo: DemoService, id: string, word: Word): Stated {
  const { videoKeys = [], projectKeys = [] } = demo.world.channels.get(id) ?? {};
  // Without repeats, which can't be stated.
  const keys = [...new Set(videoKeys)];
  return { videoKeys: word === 'true' ? keys : keys.slice(1).toReversed(), projectKeys: [...projectKeys] };
}

/** The same call with other arguments. */
export function spoil(tool: string, args: Values): Values {
  if (tool === 'undo_change' || tool === 'resume_change') return { changeId: `${String(args.changeId).slice(0, -1)}0` };
  if (tool === 'create_channels') {
    const [channel] = recordsIn(args, 'channels');
    return { channels: [{ ...channel, name: `${String(channel?.name)} ` }] };
  }
  if (tool === 'state_contents') {
    const [first] = recordsIn(args, 'channels');
    const isEmpty = Array.isArray(first?.videoKeys) && first.videoKeys.length === 0;
    return { channels: [{ ...first, videoKeys: isEmpty ? ['tampered'] : [] }] };
  }
  const [first, ...rest] = recordsIn(args, 'changes');
  return { changes: [{ ...first, description: 'tampered with' }, ...rest] };
}
