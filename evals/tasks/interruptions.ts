import type { DemoRequest } from '../../src/demo/requests.ts';
import type { DemoWorld } from '../../src/demo/world.ts';
import { type AccountState, channelIn } from '../judge/state.ts';
import type { Task } from '../task.ts';
import { contentsFile, first, inventoryFile, UNHURRIED } from './support.ts';

const PARTNERS = ['Retail', 'Healthcare', 'Education', 'Public Sector'];
const REVIEWED = 'Reviewed in autumn 2026.';
/** When the user's list was made, and when a colleague changed one of its channels. */
const LISTED = '2026-09-11T15:00:00.000Z';
const EDITED = '2026-09-14T07:40:00.000Z';
const EDIT = 'changed on|changed since|edited|modified|updated|since|older|newer|outdated|14 Sep|Sep\\w* 14|09-14|Monday|somebody|someone';
/** That one channel was changed after the list was made. */
const TELLS_OF_EDIT = new RegExp(`Education[^.\\n]{0,200}\\b(?:${EDIT})|\\b(?:${EDIT})\\b[^.\\n]{0,200}Education`, 'i');

const SERIES =
  'Retail, Healthcare, Education, Public Sector, Nordics, LATAM, Careers, Interviews, Workshops, Integrations, Press, Accessibility';
const MOVED = 'Moved to the new site.';

const OLD = ' (old)';

/** Changes that a colleague, the service or the user gets in the way of. */
export const INTERRUPTION_TASKS: readonly Task[] = [
  {
    id: 'older-list',
    says: ({ world }) =>
      `Please set the description of ${PARTNERS.join(', ')} to “${REVIEWED}”, and put the video ${introOf(world)} in front of the others in each of them. partners.csv in my files has what they hold, there are no projects in them.`,
    knows: ({ world }) =>
      `partners.csv is my export of Friday the 11th. I changed nothing since, but Kim works on them as well: on Monday morning she put two videos at the end of Education, which have to stay. So Education holds ${world.channelNamed('Education').videoKeys.join(', ')} now. The other three are as in the file.`,
    agrees({ text, asked = text, arguments: args }) {
      const { changes } = args;
      const states = Array.isArray(changes) && changes.some((change) => 'currentVideoKeys' in change || 'setVideoKeys' in change);
      const isFromFile = JSON.stringify(args).includes('partners.csv') && !states;
      return isFromFile && TELLS_OF_EDIT.test(asked)
        ? 'Wait, that was Kim. What she did has to stay; I can tell you what Education holds now.'
        : true;
    },
    needs: { update_channels: ['changes', 'currentVideoKeysFile', 'currentProjectKeys'] },
    settings: UNHURRIED,
    account: { seed: 91 },
    arrange({ world, writeFile }) {
      for (const name of PARTNERS) Object.assign(world.channelNamed(name), { projectKeys: [], updated: '2026-06-02T08:00:00.000Z' });
      writeFile('partners.csv', contentsFile(world, PARTNERS), LISTED);
      const { id, videoKeys: listed } = world.channelNamed('Education');
      if (listed.includes(introOf(world))) throw new Error('The video must be a new one.');
      const added = world.channelNamed('Academy: Basics').videoKeys.slice(0, 2);
      world.editChannel(id, { videoKeys: [...listed, ...added], updated: EDITED });
      const review = (names: readonly string[]) => (account: AccountState) => {
        for (const name of names) {
          const channel = channelIn(account, name);
          Object.assign(channel, { description: REVIEWED, videoKeys: [introOf(world), ...channel.videoKeys] });
        }
      };
      return {
        example: 'All four are done. In Education I kept the two videos that Kim added on Monday.',
        end: review(PARTNERS),
        wrongEnds: [
          review(PARTNERS.filter((name) => name !== 'Education')),
          (account) => {
            review(PARTNERS)(account);
            channelIn(account, 'Education').videoKeys = [introOf(world), ...listed];
          },
        ],
        maxMutations: PARTNERS.length,
      };
    },
  },
  {
    id: 'stop-and-undo',
    says: `Stop! You are putting “${OLD}” after the names of all our channels right now, but that was meant for two of them only. Stop it at once, and give those that you got to their old names back.`,
    knows: 'None of them should have it, I’ll tell you tomorrow which two I meant. Nothing else is to be changed.',
    needs: { list_changes: [], stop_change: ['changeId'], undo_change: ['changeId'] },
    // The change is soon answered as running, and would take a minute and a half; a stop, which waits for one request, is answered once it has ended.
    settings: { VIDEO_HOSTING_CALL_BUDGET_MS: '12000' },
    account: { seed: 92, channels: 100 },
    arrange({ world, demo, writeFile, begin }) {
      const channels = [...world.channels.values()];
      const some = world.channelNamed('Press').videoKeys;
      for (const channel of channels)
        Object.assign(channel, { projectKeys: [], videoKeys: channel.videoKeys.length === 0 ? [...some] : channel.videoKeys });
      writeFile('inventory.csv', inventoryFile(world, channels));
      const isRename = ({ method, body }: DemoRequest): boolean => method === 'PUT' && nameIn(body).endsWith(OLD);
      demo.faults.always({ match: { when: isRename }, skip: 12, do: { kind: 'delay', ms: 3000 } });
      begin('update_channels', {
        changes: channels.map(({ id, name }) => ({ channel: id, name: `${name}${OLD}` })),
        ...{ currentVideoKeysFile: 'inventory.csv', currentProjectKeys: [] },
      });
      const rename = (count: number) => (account: AccountState) => {
        for (const channel of Object.values(account.channels).slice(0, count)) channel.name += OLD;
      };
      return {
        example: 'I stopped it, and the channels that were renamed already have their old names back.',
        wrong: ['I stopped it; no further channel will be renamed.'],
        says: [/\b(?:back|former|again|original|previous|restored|reverted|undone|undid|old names?)\b/i],
        wrongEnds: [rename(5), rename(channels.length)],
        onTheWay: [rename(channels.length)],
      };
    },
  },
  {
    id: 'busy-service',
    says: `This morning you were to set the description of twelve channels to “${MOVED}”, and the service was too busy for some of them. Please do what is left now, I need it finished today.`,
    knows: 'If it is busy again, just try again. Nobody else changed these channels.',
    // “Just try again.”
    asksAhead: ({ tool }) => tool === 'resume_change',
    needs: { list_changes: [], resume_change: ['changeId', 'retryFailed', 'waitSeconds'] },
    settings: UNHURRIED,
    account: { seed: 93 },
    arrange({ world, demo, writeFile, before, afterwards }) {
      const channels = SERIES.split(', ').map((name) => world.channelNamed(name));
      for (const channel of channels) channel.projectKeys = [];
      writeFile('series.csv', inventoryFile(world, channels));
      const left = channels.slice(7).map(({ name }) => name);
      const paths = channels.slice(7).map(({ id }) => `/v1/channels/${id}`);
      const isLeft = ({ method, path }: DemoRequest): boolean => method === 'PUT' && paths.includes(path);
      demo.faults.always({ match: { when: isLeft }, do: { kind: 'status', code: 503, retryAfter: 1 } });
      before('update_channels', {
        changes: channels.map(({ id }) => ({ channel: id, description: MOVED })),
        ...{ currentVideoKeysFile: 'series.csv', currentProjectKeys: [] },
      });
      // Still busy for a while.
      afterwards(() => {
        demo.faults.clear();
        demo.faults.next({ match: { when: isLeft }, times: 6, do: { kind: 'status', code: 503, retryAfter: 4 } });
      });
      const describe = (names: readonly string[]) => (account: AccountState) => {
        for (const name of names) channelIn(account, name).description = MOVED;
      };
      return {
        example: 'The five that were left are done too, so all twelve have the new description.',
        exampleStart: describe(SERIES.split(', ').slice(0, 7)),
        end: describe(SERIES.split(', ')),
        wrongEnds: [describe(left.slice(1))],
        wrong: ['The service is still busy.'],
        says: [[5, 12, /\b(?:five|twelve|all)\b/i]],
        saysNot: [/\bstill (?:too )?busy\b/i],
      };
    },
  },
];

/** A video of the middle of the account. */
function introOf(world: DemoWorld): string {
  return first([...world.videos.values()].slice(300)).key;
}

function nameIn(body: unknown): string {
  return typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : '';
}
