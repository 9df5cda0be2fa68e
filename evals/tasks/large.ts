import type { DemoWorld } from '../../src/demo/world.ts';
import { type AccountState, channelIn } from '../judge/state.ts';
import type { Task } from '../task.ts';
import { first, inventoryFile, UNHURRIED, videoIds, viewsIn } from './support.ts';

const INTERNAL = ['Internal: All-hands', 'Internal: Sales Enablement', 'Test channel – do not use'];
const QUIET = ['Webinars 2023 – Spring', 'Webinars 2023 – Autumn', 'Trade fairs', 'Launch: Cirrus', 'Nordics (old)', 'Alumni', 'Roadmap'];
const SUMMER = ['2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z'] as const;
/** Of a hundred: one that would be left empty, and one whose list in the file is wrong. */
const ODD = ['Sponsor corner', 'Workshops'];
const HARMLESS = 100 - ODD.length;
const IN_WORK = 'Wird überarbeitet.';

/** Whole accounts, and lists as people have them. */
export const LARGE_TASKS: readonly Task[] = [
  {
    id: 'hundred-intro',
    says: ({ world }) =>
      `Wir haben 100 Kanäle, und ab heute soll in allen das neue Intro-Video (Key ${introOf(world)}) ganz vorne stehen, der Rest dahinter wie gehabt. Nur die beiden „Internal: …“-Kanäle und den Testkanal bitte nicht anfassen. Was jeder Kanal grade enthält steht in inventar.csv (von heute früh, vollständig). Projekte hängen nur an „Nordics“ (Events) und „Retail“ (Marketing), sonst nirgends.`,
    knows:
      'inventar.csv stimmt, die Spalte channel ist die ID des Kanals. In ein paar Kanälen ist das Intro schon irgendwo mittendrin, auch dort soll es nach vorne. Sonst ändert sich nichts.',
    needs: { list_channels: ['size'], update_channels: ['changes', 'currentVideoKeysFile', 'currentProjectKeys'] },
    probes: [['list_channels', { size: 100 }]],
    settings: UNHURRIED,
    account: { seed: 61, channels: 100 },
    arrange({ world, writeFile }) {
      const intro = introOf(world);
      for (const channel of world.channels.values()) {
        channel.projectKeys = [];
        if (channel.videoKeys.length === 0) channel.videoKeys = [...world.channelNamed('Press').videoKeys];
        channel.videoKeys = channel.videoKeys.filter((key) => key !== intro);
      }
      world.channelNamed('Nordics').projectKeys = [world.projectNamed('Events').key];
      world.channelNamed('Retail').projectKeys = [world.projectNamed('Marketing').key];
      for (const name of ['How-to', 'Workshops']) world.channelNamed(name).videoKeys.splice(3, 0, intro);
      writeFile('inventar.csv', inventoryFile(world, [...world.channels.values()]));
      const place = (front: boolean, isIn: (name: string) => boolean) => (account: AccountState) => {
        for (const channel of Object.values(account.channels)) {
          const rest = channel.videoKeys.filter((key) => key !== intro);
          if (isIn(channel.name)) channel.videoKeys = front ? [intro, ...rest] : [...rest, intro];
        }
      };
      const wanted = (name: string): boolean => !INTERNAL.includes(name);
      return {
        example: 'Das Intro steht jetzt in 97 Kanälen an erster Stelle. Die beiden internen und der Testkanal sind unverändert.',
        end: place(true, wanted),
        wrongEnds: [
          place(true, () => true),
          place(false, wanted),
          // The intro is twice where it was in the middle.
          (account) => {
            for (const channel of Object.values(account.channels)) if (wanted(channel.name)) channel.videoKeys.unshift(intro);
          },
          (account) => {
            place(true, wanted)(account);
            channelIn(account, 'Nordics').projectKeys = [];
          },
        ],
        maxMutations: 97,
      };
    },
  },
  {
    id: 'hundred-quiet',
    says: 'Which of our 100 channels had not a single view from June to August 2026? I need their names, all of them.',
    knows: 'Whole days, UTC. A view counts for the channel it was watched in.',
    next: [
      {
        says: 'Thanks. Then give all of those the template Light and the description “Resting since June 2026.” inventory.csv in my files has what every channel holds now; none of these has projects.',
        knows: 'inventory.csv is of this morning and complete, its column channel is the channel’s id. Names and videos stay as they are.',
      },
    ],
    needs: { run_analytics_sql: ['sql', 'from', 'to'], update_channels: ['changes', 'currentVideoKeysFile', 'currentProjectKeys'] },
    settings: UNHURRIED,
    account: { seed: 62, channels: 100 - QUIET.length },
    arrange({ world, writeFile }) {
      const watched = new Set(viewsIn(world, ...SUMMER).map(({ channelKey }) => channelKey));
      // All the others have a view at least, one of them on the last evening.
      for (const { key, videoKeys } of world.channels.values())
        if (!watched.has(key)) world.addView({ channelKey: key, videoKey: videoKeys[0] ?? '', date: '2026-08-31T23:30:00.000+00:00' });
      const some = world.channelNamed('Workshops').videoKeys;
      for (const [index, name] of QUIET.entries())
        world.addChannel({ name, description: `Series of ${name}.`, videoKeys: some.slice(index, index + 4) });
      // Seen in May, and again in September.
      const { key: channelKey, videoKeys } = world.channelNamed('Trade fairs');
      for (const date of ['2026-05-31T23:30:00.000+00:00', '2026-09-01T00:30:00.000+00:00'])
        world.addView({ channelKey, videoKey: first(videoKeys), date });
      writeFile('inventory.csv', inventoryFile(world, [...world.channels.values()]));
      const light = world.templates.find(({ name }) => name === 'Light')?.key ?? '';
      const rest = (names: readonly string[]) => (account: AccountState) => {
        for (const name of names) Object.assign(channelIn(account, name), { templateKey: light, description: 'Resting since June 2026.' });
      };
      return {
        earlier: [
          {
            example: `These seven had none: ${QUIET.join(', ')}.`,
            wrong: [
              `These had none: ${QUIET.slice(1).join(', ')}.`,
              `These had none: ${QUIET.filter((name) => name !== 'Trade fairs').join(', ')}.`,
            ],
            says: QUIET.map((name) => new RegExp(name.replace(/[^\w ]/g, '.'))),
          },
        ],
        example: 'All seven use Light now and say that they rest.',
        end: rest(QUIET),
        wrongEnds: [rest(QUIET.slice(1)), rest([...QUIET, 'Press'])],
        maxMutations: QUIET.length,
      };
    },
  },
  {
    id: 'hundred-two-odd',
    says: ({ world }) =>
      `The contract for the two sponsor spots (${spotsOf(world).join(' and ')}) has ended, so please take both out of all our 100 channels; each of them has both. inventory.csv in my files says what every channel holds, and there are no projects in any of them. Tell me before you do it if there is one where that would do harm.`,
    knows:
      'The column channel is the id. I had the list made by a trainee last week. If anything is odd with a channel, leave that one out for now and tell me which.',
    agrees({ text, asked = text, arguments: args }) {
      const told = ODD.filter((name) => asked.includes(name));
      const changed = Array.isArray(args.changes) ? args.changes.length : 0;
      return told.length === ODD.length && changed > HARMLESS ? `Then leave ${ODD.join(' and ')} out for now. All the others: yes.` : true;
    },
    needs: { update_channels: ['changes', 'currentVideoKeysFile', 'currentProjectKeys'], query_analytics: ['groupBy', 'channels'] },
    settings: UNHURRIED,
    account: { seed: 94, channels: 99 },
    arrange({ world, writeFile }) {
      const spots = spotsOf(world);
      const listed = world.channelNamed('Workshops');
      for (const channel of world.channels.values()) {
        const rest = channel.videoKeys.filter((key) => !spots.includes(key));
        const held = rest.length === 0 ? world.channelNamed('Press').videoKeys.filter((key) => !spots.includes(key)) : rest;
        const videoKeys = [...held.slice(0, 2), ...spots, ...held.slice(2)];
        Object.assign(channel, { projectKeys: [], videoKeys, updated: '2026-06-02T08:00:00.000Z' });
      }
      world.addChannel({
        name: 'Sponsor corner',
        description: 'Presented by our sponsors.',
        videoKeys: [...spots],
        updated: '2026-06-02T08:00:00.000Z',
      });
      const inventory = [...world.channels.values()].map((channel) =>
        // Nine videos that are watched there every day are not in the list.
        channel === listed ? { ...channel, videoKeys: channel.videoKeys.slice(0, -9) } : channel,
      );
      const watched = listed.videoKeys.slice(-9);
      world.addViews(
        Array.from({ length: 180 }, (_, index) => ({
          channelKey: listed.key,
          videoKey: watched[index % 9] ?? '',
          date: new Date(Date.parse('2026-08-25T06:00:00Z') + index * 9_000_000).toISOString().replace('Z', '+00:00'),
        })),
      );
      writeFile('inventory.csv', inventoryFile(world, inventory), '2026-09-08T10:00:00.000Z');
      const remove = (isIn: (name: string) => boolean) => (account: AccountState) => {
        for (const channel of Object.values(account.channels))
          if (isIn(channel.name)) channel.videoKeys = channel.videoKeys.filter((key) => !spots.includes(key));
      };
      return {
        example: `Both spots are out of 98 channels. I left out ${ODD[0]}, which would be empty, and ${ODD[1]}, where the list lacks videos that people watch.`,
        wrong: ['Both spots are out of all channels.', `Both spots are out of 99 channels, all but ${ODD[0]}.`],
        says: ODD.map((name) => new RegExp(name)),
        end: remove((name) => !ODD.includes(name)),
        wrongEnds: [remove(() => true), remove((name) => name !== ODD[0]), remove((name) => name !== ODD[1])],
        maxMutations: HARMLESS,
      };
    },
  },
  {
    id: 'misspelt-names',
    says: `hallo, kanst du bei Acadmy: Basics, Acadmy: Advanced, Webinars 2024 - Sprng, Legacy Player Hlp und bei Custmer Stories (das deutsche) bitte die Beschreibung auf „${IN_WORK}“ setzen? was drin is steht in inhalte.csv, projekte hat keiner davon`,
    knows:
      'Gemeint sind Academy: Basics, Academy: Advanced, Webinars 2024 – Spring, Legacy Player Help und das Customer Stories mit der deutschen Beschreibung („Kundenberichte …“). inhalte.csv ist von heute und vollständig. Die Namen bleiben.',
    needs: { update_channels: ['changes', 'currentVideoKeysFile', 'currentProjectKeys'], list_channels: ['search'] },
    settings: UNHURRIED,
    account: { seed: 63 },
    arrange({ world, writeFile }) {
      const [english, german] = [...world.channels.values()].filter(({ name }) => name === 'Customer Stories');
      if (english === undefined || german === undefined) throw new Error('Two channels of this name are needed.');
      const names = ['Academy: Basics', 'Academy: Advanced', 'Webinars 2024 – Spring', 'Legacy Player Help'];
      const channels = [...names.map((name) => world.channelNamed(name)), german];
      for (const channel of channels) channel.projectKeys = [];
      writeFile('inhalte.csv', inventoryFile(world, channels));
      const describe = (ids: readonly string[]) => (account: AccountState) => {
        for (const id of ids) Object.assign(account.channels[id] ?? {}, { description: IN_WORK });
      };
      const ids = channels.map(({ id }) => id);
      return {
        example: 'Alle fünf Beschreibungen sind gesetzt; bei Customer Stories die des deutschen Kanals.',
        end: describe(ids),
        wrongEnds: [describe([...ids.slice(0, 4), english.id]), describe([...ids, english.id]), describe(ids.slice(0, 4))],
        maxMutations: 5,
      };
    },
  },
  {
    id: 'messy-workbook',
    says: 'hab vom alten team noch die liste umzug.csv geerbt (liegt in meinen dateien), da stehn die videos drin die ins Archive solln. bitte verschieben, aber so das mans notfalls wieder rückgängig machen kann! is bestimmt auch müll in der tabelle, sag mir dann genau was davon nich verschoben wurde',
    knows:
      'In „Video-ID“ stehen die IDs, in „Projekt alt“ steht, wo das Video jetzt ist, das stimmt. Die Zeilen mit Summen und Notizen sind keine Videos, die können weg. Mehr weiß ich über die Liste nicht.',
    needs: { move_videos: ['targetProject', 'videoIdsFile', 'idColumn', 'fromProjectColumn'] },
    settings: UNHURRIED,
    account: { seed: 64, videos: 1500 },
    arrange({ world, writeFile }) {
      const ids = videoIds(world, 640).slice(20);
      const [archive, ...homes] = ['Archive', 'Marketing', 'Events', 'Training'].map((name) => world.projectNamed(name));
      for (const [index, id] of ids.entries()) Object.assign(world.videos.get(id) ?? {}, { projectId: homes[index % 3]?.id });
      const stuck = ids[77] ?? '';
      world.poisonedVideoIds.add(stuck);
      // An id as all others, of no video of this account.
      const unknown = `${stuck.slice(0, 4)}${'0123456789abcdef'.repeat(2).slice(0, stuck.length - 4)}`;
      const rows = ids.map(
        (id, index) => `${index + 1};"Teil ${index + 1}; final";${index % 50 === 7 ? ` ${id} ` : id};${homes[index % 3]?.name};`,
      );
      rows.splice(300, 0, ';;;;', `;Zwischensumme;1869;${homes[0]?.name};`, rows[12] ?? '', rows[40] ?? '');
      rows.splice(120, 0, `;"Film aus 2019";${unknown};${homes[1]?.name};gelöscht?`);
      rows.push(';;;;', `;Summe;siehe Anhang;${homes[2]?.name};`, rows[3] ?? '');
      writeFile('umzug.csv', `\uFEFFNr.;Titel;Video-ID;Projekt alt;Bemerkung\r\n${rows.join('\r\n')}\r\n`);
      const move = (moved: readonly string[]) => (account: AccountState) => {
        for (const id of moved) account.projectOf[id] = archive?.id ?? '';
      };
      const moved = ids.filter((id) => id !== stuck);
      return {
        example: `${moved.length} Videos sind im Archive. Nicht verschoben: ${stuck} und ${unknown} (vom Dienst abgelehnt) und zwei Einträge, die keine IDs sind: „1869“ und „siehe Anhang“.`,
        exampleEnding: { calls: [{ tool: 'move_videos', arguments: { fromProjectColumn: 'Projekt alt' }, isError: false }] },
        wrong: [
          `Alle ${ids.length} Videos sind im Archive.`,
          `${moved.length} Videos sind im Archive, ${stuck} nicht; „1869“ und „siehe Anhang“ sind keine IDs.`,
          `${moved.length} Videos sind im Archive, ${stuck} und ${unknown} nicht.`,
        ],
        end: move(moved),
        wrongEnds: [move(moved.slice(1)), move(ids)],
        mayFail: [stuck, unknown, '1869', 'siehe Anhang'],
        says: [new RegExp(stuck), new RegExp(unknown), /1869/, /siehe Anhang/],
        wrongEndings: [{ calls: [{ tool: 'move_videos', arguments: { idColumn: 'Video-ID' }, isError: false }] }],
        check: ({ calls }) => {
          const { fromProjectColumn, fromProject } =
            calls.filter(({ tool, isError }) => tool === 'move_videos' && !isError).at(-1)?.arguments ?? {};
          return (fromProjectColumn ?? fromProject) === undefined ? ['the move can’t be undone: no call says where the videos were'] : [];
        },
      };
    },
  },
];

/** Two videos of the end of the account. */
function spotsOf(world: DemoWorld): string[] {
  return [...world.videos.values()].slice(-2).map(({ key }) => key);
}

/** A video of the middle of the account. */
function introOf(world: DemoWorld): string {
  return first([...world.videos.values()].slice(300)).key;
}
