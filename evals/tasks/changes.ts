import type { DemoRequest } from '../../src/demo/requests.ts';
import { type AccountState, channelIn } from '../judge/state.ts';
import type { Task } from '../task.ts';
import { contentsFile, keysOf, SAYS_NO } from './support.ts';

const ACADEMY = ['Academy: Basics', 'Academy: Advanced', 'Academy: Certification'];
const SERIES = ['Retail', 'Healthcare', 'Education', 'Public Sector', 'Nordics', 'LATAM', 'Careers', 'Interviews'];

/** Changes that do not go as planned: refused, undone, overtaken, failing. */
export const CHANGE_TASKS: readonly Task[] = [
  {
    id: 'outside-edit',
    says: 'Please rename “Release Notes” to “What’s new”.',
    knows: ({ world }) =>
      `Release Notes has no projects and holds ${keysOf(world, 'Release Notes')} in this order. A colleague sometimes edits descriptions in the dashboard; keep what they do.`,
    needs: { update_channels: ['changes'] },
    account: { seed: 21 },
    arrange({ world, onPreview, onFirst }) {
      const { id } = world.channelNamed('Release Notes');
      const description = 'Everything new, with dates. Edited by Kim.';
      let isEdited = false;
      const edit = (): void => {
        if (!isEdited) world.editChannel(id, { description });
        isEdited = true;
      };
      onPreview(edit);
      // Where there is no preview, just before the change.
      onFirst(({ method }) => method === 'PUT', edit);
      return {
        example: 'The channel is called What’s new; a colleague changed its description meanwhile, which I kept.',
        end: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined) Object.assign(channel, { name: 'What’s new', description });
        },
        otherEnds: [
          (account) => {
            const channel = account.channels[id];
            if (channel !== undefined) Object.assign(channel, { name: "What's new", description });
          },
        ],
      };
    },
  },
  {
    id: 'undo-part',
    says: 'Yesterday you changed the channel Product Tour for me: new name, new description, new order. I want the old name back. Keep the rest as it is now.',
    knows: 'I do not remember the old name exactly, you should have it. Only the name, please.',
    needs: { undo_change: ['changeId', 'only'], list_changes: [] },
    probes: [['list_changes', {}]],
    account: { seed: 22 },
    arrange({ world, before }) {
      const { id, name, videoKeys } = world.channelNamed('Product Tour');
      const order = [...videoKeys].reverse();
      const change = { channel: id, name: 'The Tour', description: 'Ten minutes, nine videos.', setVideoKeys: order };
      before('update_channels', { changes: [{ ...change, currentVideoKeys: [...videoKeys], currentProjectKeys: [] }] });
      return {
        example: 'It is called Product Tour again; description and order stay as changed yesterday.',
        end: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined) channel.name = name;
        },
        exampleStart: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined)
            Object.assign(channel, { name: 'The Tour', description: 'Ten minutes, nine videos.', videoKeys: order });
        },
        says: [/Product Tour/],
      };
    },
  },
  {
    id: 'undo-all',
    says: 'The reordering of the channel “Founder’s Diary” that you did earlier was a mistake. Put it back the way it was please.',
    knows: 'I can’t tell the old order any more. Just exactly as it was before.',
    needs: { undo_change: ['changeId'], list_changes: [] },
    account: { seed: 23 },
    arrange({ world, before }) {
      const { id, videoKeys } = world.channelNamed("Founder's Diary");
      const held = [...videoKeys];
      before('update_channels', {
        changes: [
          {
            channel: id,
            currentVideoKeys: held,
            currentProjectKeys: [],
            firstVideoKeys: held.slice(-3),
            removeVideoKeys: held.slice(0, 1),
          },
        ],
      });
      return {
        example: 'Founder’s Diary is back as it was.',
        exampleStart: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined) channel.videoKeys = [...held.slice(-3), ...held.slice(1, -3)];
        },
        end: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined) channel.videoKeys = held;
        },
      };
    },
  },
  {
    id: 'refusal',
    says: 'I’d like to rename “Careers” to “Jobs” and “Interviews” to “Talks”. Show me what you would do before you do it.',
    knows: ({ world }) =>
      `Careers: ${keysOf(world, 'Careers')}. Interviews: ${keysOf(world, 'Interviews')}. No projects in either. Whether I want it depends on what you show me.`,
    agrees: false,
    needs: { update_channels: ['changes'] },
    account: { seed: 24 },
    arrange: () => ({
      example: 'You said no, so nothing was changed.',
      wrong: ['Both channels are renamed.'],
      says: [SAYS_NO],
    }),
  },
  {
    id: 'partial-refusal',
    says: 'Put “– closed” after the names of our three Academy channels. academy.csv in my files has what they hold. Show me before you do it.',
    knows: 'academy.csv is complete and of today. No projects in them.',
    agrees: ({ tool, text, arguments: { changes } }) => {
      // Lists may be stated for all three. Without a preview, the question itself is what is shown.
      const concernsAll = Array.isArray(changes) ? changes.length > 2 : tool !== 'state_contents' && text.includes('Certification');
      return concernsAll ? 'Oh wait, leave Academy: Certification out of it. The other two are fine.' : true;
    },
    needs: { update_channels: ['changes'] },
    account: { seed: 25 },
    arrange({ world, writeFile }) {
      writeFile('academy.csv', contentsFile(world, ACADEMY));
      return {
        example: 'Basics and Advanced are marked as closed; Certification was left out as you asked.',
        end: (account) => {
          for (const name of ACADEMY.slice(0, 2)) channelIn(account, name).name = `${name} – closed`;
        },
      };
    },
  },
  {
    id: 'service-fails-midway',
    says: 'Set the description of these eight channels to “Moved to the new site.”: Retail, Healthcare, Education, Public Sector, Nordics, LATAM, Careers, Interviews. lists.csv in my files has what is in them.',
    knows:
      'lists.csv is complete and of today, no projects in them. If the service has trouble, do not keep trying: tell me which are done and which are not, and I will come back tomorrow.',
    needs: { update_channels: ['changes'], get_change: ['changeId'] },
    account: { seed: 26 },
    arrange({ world, demo, writeFile }) {
      const failing = SERIES.slice(5).map((name) => `/v1/channels/${world.channelNamed(name).id}`);
      const isFailing = ({ method, path }: DemoRequest): boolean => method === 'PUT' && failing.includes(path);
      for (const name of SERIES) world.channelNamed(name).projectKeys = [];
      demo.faults.always({ match: { when: isFailing }, do: { kind: 'status', code: 503, retryAfter: 1 } });
      writeFile('lists.csv', contentsFile(world, SERIES));
      const describe = (names: readonly string[]) => (account: Parameters<typeof channelIn>[0]) => {
        for (const name of names) channelIn(account, name).description = 'Moved to the new site.';
      };
      return {
        example: 'Five are done. The service failed for LATAM, Careers and Interviews, which are unchanged.',
        wrong: ['All eight descriptions are set.', 'Five of them are done.'],
        end: describe(SERIES.slice(0, 5)),
        onTheWay: [describe(SERIES)],
        says: [/LATAM/, /Careers/, /Interviews/],
      };
    },
  },
  {
    id: 'what-was-changed',
    says: 'What did you change in our account so far? I need it for a status mail.',
    knows: 'Just a short list with names.',
    needs: { list_changes: [], get_change: ['changeId'] },
    account: { seed: 27 },
    arrange({ world, before }) {
      const { id, videoKeys } = world.channelNamed('Integrations');
      before('update_channels', {
        changes: [{ channel: id, name: 'Connectors', currentVideoKeys: [...videoKeys], currentProjectKeys: [] }],
      });
      before('create_project', { name: 'Podcasts', region: 'use-s' });
      return {
        example: 'I renamed Integrations to Connectors and created the project Podcasts.',
        wrong: ['I changed nothing.', 'I renamed Integrations to Connectors.'],
        says: [/Connectors/, /Podcasts/],
      };
    },
  },
  {
    id: 'former-name',
    says: 'In our channel “Integrations”, please put the last video in front of all others. The rest stays as it is.',
    knows: ({ world }) =>
      `The channel for connecting other tools, ${world.channelNamed('Integrations').videoKeys.length} videos. Oh, I had you give it another name last week, that’s the one: you should know which. It has no projects, and nobody changed it since.`,
    needs: { update_channels: ['changes'], list_changes: [], list_channels: ['search'] },
    account: { seed: 98 },
    arrange({ world, before }) {
      const { id, videoKeys } = world.channelNamed('Integrations');
      const held = [...videoKeys];
      // A name that is nearer to the former one than the new one is.
      world.addChannel({ name: 'Integration tests', description: 'Internal.', videoKeys: held.slice(0, 5) });
      before('update_channels', { changes: [{ channel: id, name: 'Connectors', currentVideoKeys: held, currentProjectKeys: [] }] });
      const rotate = (channelId: string) => (account: AccountState) => {
        const channel = account.channels[channelId];
        if (channel !== undefined) channel.videoKeys = [...channel.videoKeys.slice(-1), ...channel.videoKeys.slice(0, -1)];
      };
      return {
        example: 'The last video comes first now. The channel is called Connectors since I renamed it.',
        exampleStart: (account) => {
          const channel = account.channels[id];
          if (channel !== undefined) channel.name = 'Connectors';
        },
        end: rotate(id),
        wrongEnds: [
          (account) => rotate(idOf(account, 'Integration tests'))(account),
          (account) => {
            rotate(id)(account);
            channelIn(account, 'Connectors').name = 'Integrations';
          },
        ],
        says: [/Connectors/],
        wrong: ['The last video of Integrations comes first now.'],
      };
    },
  },
  {
    id: 'name-too-long',
    says: `Rename the channel Accessibility to “${longName()}” please.`,
    knows: ({ world }) =>
      `If that is too long, take “Accessibility for everybody”. The channel holds ${keysOf(world, 'Accessibility')}, no projects.`,
    needs: { update_channels: ['changes'] },
    account: { seed: 28 },
    arrange: () => ({
      example: 'It is called “Accessibility for everybody”, since the longer name does not fit.',
      end: (account) => {
        channelIn(account, 'Accessibility').name = 'Accessibility for everybody';
      },
    }),
  },
  {
    id: 'template-not-usable',
    says: 'Use the template “Brand: Aurora” for the channel “Launch: Aurora”.',
    knows: ({ world }) =>
      `We are on the Business plan. Launch: Aurora holds ${keysOf(world, 'Launch: Aurora')}, no projects. If that template is not for us, leave the channel alone.`,
    needs: { update_channels: ['changes'], list_channel_templates: ['accountPlanType'] },
    probes: [['list_channel_templates', { accountPlanType: 'Business' }]],
    account: { seed: 29 },
    arrange: () => ({
      example: 'That template needs the Enterprise plan, so I left the channel as it is.',
      wrong: ['Launch: Aurora now uses Brand: Aurora.'],
      says: [[/enterprise/i, /(?:not|n[’']t) (?:be )?(?:available|usable|use)/i]],
    }),
  },
];

function idOf(account: AccountState, name: string): string {
  return Object.keys(account.channels).find((id) => account.channels[id]?.name === name) ?? '';
}

function longName(): string {
  return `Accessibility: ${'captions, keyboards, contrast, screen readers, '.repeat(3)}and everything else`;
}
