import { channelIn } from '../judge/state.ts';
import type { Task } from '../task.ts';
import { contentsFile, keysOf, SAYS_NO } from './support.ts';

const RETIRED = ['Webinars 2024 – Spring', 'Webinars 2024 – Autumn', 'Webinars 2024 – Best of'];
const INTERNAL = ['Internal: All-hands', 'Internal: Sales Enablement'];

/** Changes of channels of which nobody but the user knows what they hold. */
export const CHANNEL_TASKS: readonly Task[] = [
  {
    id: 'reorganise-unknown',
    says: 'In the channel “Academy: Advanced”, can you put the last two videos first please? The rest should stay in the order it is.',
    knows: ({ world }) =>
      `Academy: Advanced holds exactly these, in this order: ${keysOf(world, 'Academy: Advanced')}. It has no projects in it.`,
    needs: { update_channels: ['changes'], get_channel: ['channel'] },
    probes: [['get_channel', { channel: 'Academy: Advanced' }]],
    account: { seed: 11 },
    arrange: () => ({
      example: 'The last two videos of Academy: Advanced now come first.',
      end: (account) => {
        const channel = channelIn(account, 'Academy: Advanced');
        channel.videoKeys = [...channel.videoKeys.slice(-2), ...channel.videoKeys.slice(0, -2)];
      },
    }),
  },
  {
    id: 'reorganise-from-file',
    says: ({ world }) =>
      `contents.csv in my files says what our three “Webinars 2024” channels hold right now. Please take the video ${world.channelNamed('Webinars 2024 – Best of').videoKeys[0]} out of every one of them that has it, and put “(archived)” after the name of each of the three.`,
    knows:
      'contents.csv was exported this morning and is right; it has everything, there are no projects in those channels. The new names are like “Webinars 2024 – Spring (archived)”.',
    needs: { update_channels: ['changes'], state_contents: ['file'] },
    account: { seed: 12 },
    arrange({ world, writeFile }) {
      const [retired = ''] = world.channelNamed('Webinars 2024 – Best of').videoKeys;
      const spring = world.channelNamed('Webinars 2024 – Spring').videoKeys;
      if (!spring.includes(retired)) spring.splice(4, 0, retired);
      writeFile('contents.csv', contentsFile(world, RETIRED));
      return {
        example: 'All three are renamed, and the video is gone from those that had it.',
        end: (account) => {
          for (const name of RETIRED) {
            const channel = channelIn(account, name);
            channel.name = `${name} (archived)`;
            channel.videoKeys = channel.videoKeys.filter((key) => key !== retired);
          }
        },
      };
    },
  },
  {
    id: 'swap-templates',
    says: 'Can you swap the templates of our channels Retail and Healthcare? Whatever Retail uses should be on Healthcare and the other way round.',
    knows: ({ world }) =>
      `Retail holds ${keysOf(world, 'Retail')}. Healthcare holds ${keysOf(world, 'Healthcare')}. In these orders, and neither has projects. Nothing else should change.`,
    needs: { update_channels: ['changes'], list_channel_templates: [] },
    probes: [['list_channel_templates', {}]],
    account: { seed: 13 },
    arrange({ world }) {
      const [light, dark, , , otherDark] = world.templates;
      if (light === undefined || dark === undefined || otherDark === undefined) throw new Error('Five templates are needed.');
      // Two templates are named Dark.
      world.channelNamed('Retail').templateKey = otherDark.key;
      world.channelNamed('Healthcare').templateKey = light.key;
      return {
        example: `Retail now uses Light, Healthcare uses Dark (${otherDark.key}).`,
        end: (account) => {
          channelIn(account, 'Retail').templateKey = light.key;
          channelIn(account, 'Healthcare').templateKey = otherDark.key;
        },
      };
    },
  },
  {
    id: 'six-channels',
    says: ({ world }) => {
      const videos = [...world.videos.values()];
      const lines = ['Basics', 'Editing', 'Live', 'Sharing', 'Teams', 'Reports'].map(
        (name, index) =>
          `Learn: ${name} – ${videos
            .slice(index * 4, index * 4 + 3 + (index % 2))
            .map(({ key }) => key)
            .join(', ')}`,
      );
      return `I need six new channels with these videos, in this order:\n${lines.join('\n')}\nAll with the template Grid.`;
    },
    knows: 'No descriptions needed. They are new, so nothing has to be kept.',
    needs: { create_channels: ['channels'] },
    account: { seed: 14 },
    arrange({ world }) {
      const videos = [...world.videos.values()];
      const template = world.templates.find(({ name }) => name === 'Grid')?.key ?? '';
      return {
        example: 'All six channels are there.',
        maxMutations: 6,
        end: (account) => {
          account.createdChannels = ['Basics', 'Editing', 'Live', 'Sharing', 'Teams', 'Reports'].map((name, index) => ({
            name: `Learn: ${name}`,
            description: '',
            templateKey: template,
            videoKeys: videos.slice(index * 4, index * 4 + 3 + (index % 2)).map(({ key }) => key),
            projectKeys: [],
            privateLinkEnabled: false,
          }));
        },
      };
    },
  },
  {
    id: 'rename-team-channels',
    says: 'Our channels that start with “Internal:” should start with “Team:” instead. Same otherwise. What they hold is in internal.csv in my files.',
    knows: 'internal.csv is from today and complete; no projects in them. It is the two channels All-hands and Sales Enablement.',
    needs: { update_channels: ['changes'], list_channels: ['search'] },
    probes: [['list_channels', { search: 'Internal:' }]],
    account: { seed: 15 },
    arrange({ world, writeFile }) {
      writeFile('internal.csv', contentsFile(world, INTERNAL));
      return {
        example: 'Both channels now begin with Team:.',
        end: (account) => {
          for (const name of INTERNAL) channelIn(account, name).name = name.replace('Internal:', 'Team:');
        },
      };
    },
  },
  {
    id: 'move-between-channels',
    says: 'Please take the first three videos out of “Social Clips” and put them at the end of “Launch: Borealis”, in the same order.',
    knows: ({ world }) =>
      `Social Clips: ${keysOf(world, 'Social Clips')}. Launch: Borealis: ${keysOf(world, 'Launch: Borealis')}. Those are the full lists in order; neither has projects.`,
    needs: { update_channels: ['changes'] },
    account: { seed: 16 },
    arrange({ world }) {
      world.channelNamed('Launch: Borealis').videoKeys = world.channelNamed('Product Tour').videoKeys.slice(0, 4);
      return {
        example: 'Three videos moved from Social Clips to the end of Launch: Borealis.',
        end: (account) => {
          const from = channelIn(account, 'Social Clips');
          channelIn(account, 'Launch: Borealis').videoKeys.push(...from.videoKeys.splice(0, 3));
        },
      };
    },
  },
  {
    id: 'ambiguous-name',
    says: 'Can you switch on the private link for the channel Customer Stories?',
    knows: ({ world }) => {
      const german = [...world.channels.values()].filter(({ name }) => name === 'Customer Stories')[1];
      return `I mean the German one. It holds ${german?.videoKeys.join(', ')} and no projects.`;
    },
    needs: { update_channels: ['changes'], list_channels: ['search'] },
    probes: [['list_channels', { search: 'Customer Stories' }]],
    account: { seed: 17 },
    arrange({ world }) {
      const [english, german] = [...world.channels.values()].filter(({ name }) => name === 'Customer Stories');
      if (english === undefined || german === undefined) throw new Error('Two channels of this name are needed.');
      english.privateLinkEnabled = false;
      german.privateLinkEnabled = false;
      return {
        example: 'The private link of the German Customer Stories is on.',
        end: (account) => {
          const channel = account.channels[german.id];
          if (channel !== undefined) channel.privateLinkEnabled = true;
        },
      };
    },
  },
  {
    id: 'contents-unknown-to-user',
    says: 'Could you rename the channel “Workshops” to “Hands-on workshops”? It’s just the name.',
    knows:
      'I have no idea what is in it, and nobody can look it up this week. If it cannot be done safely without that, leave it as it is.',
    needs: { update_channels: ['changes'], get_channel: ['channel'] },
    account: { seed: 18 },
    arrange: () => ({
      example: 'I did not rename it: without knowing what Workshops holds, a rename would empty it.',
      wrong: ['The channel is now called Hands-on workshops.'],
      says: [SAYS_NO],
    }),
  },
  {
    id: 'mistyped-key',
    says: ({ world }) => `Please make a new channel “Picks of the month” with ${pickedKeys(world).typed.join(', ')}.`,
    knows: ({ world }) =>
      `Sorry if I mistyped something. The last one should be ${pickedKeys(world).meant.at(-1)}. No description, the default look.`,
    needs: { create_channels: ['channels'] },
    account: { seed: 19 },
    arrange: ({ world }) => ({
      example: 'Picks of the month is there, with the corrected key.',
      end: (account) => {
        const { meant: videoKeys } = pickedKeys(world);
        account.createdChannels = [
          { name: 'Picks of the month', description: '', templateKey: '', videoKeys, projectKeys: [], privateLinkEnabled: false },
        ];
      },
    }),
  },
];

function pickedKeys(world: Parameters<typeof keysOf>[0]): { meant: string[]; typed: string[] } {
  const meant = [...world.videos.values()].slice(40, 44).map(({ key }) => key);
  const last = meant.at(-1) ?? '';
  return { meant, typed: [...meant.slice(0, -1), `${last.slice(0, -2)}${last.at(-1)}${last.at(-2)}`] };
}
