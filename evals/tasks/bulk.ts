import type { DemoRequest } from '../../src/demo/requests.ts';
import type { AccountState } from '../judge/state.ts';
import type { Task } from '../task.ts';
import { SAYS_NO, UNHURRIED, videoIds } from './support.ts';

/** Many videos at once. */
export const BULK_TASKS: readonly Task[] = [
  {
    id: 'move-2500',
    says: 'Move all the videos in old-videos.txt (my files) from Marketing to Archive. There are about 2,500. If some don’t work, try those once more, and then tell me exactly which ones are left.',
    knows: 'The file has one id per line. All of them are in the project Marketing now.',
    needs: { move_videos: ['targetProject', 'videoIdsFile', 'fromProject'], resume_change: ['changeId'] },
    account: { seed: 31, videos: 3000 },
    arrange({ world, writeFile }) {
      const ids = videoIds(world, 2500);
      const marketing = world.projectNamed('Marketing').id;
      for (const id of ids) {
        const video = world.videos.get(id);
        if (video !== undefined) video.projectId = marketing;
      }
      const bad = [3, 250, 999, 1000, 1500, 2000, 2499].map((index) => ids[index] ?? '');
      for (const id of bad) world.poisonedVideoIds.add(id);
      writeFile('old-videos.txt', `${ids.join('\n')}\n`);
      const archive = world.projectNamed('Archive').id;
      return {
        example: `2,493 are in Archive. These seven could not be moved: ${bad.join(', ')}.`,
        wrong: ['All 2,500 videos are in Archive.', `2,493 are in Archive; ${bad.slice(1).join(', ')} failed.`],
        end: (account) => {
          for (const id of ids) if (!bad.includes(id)) account.projectOf[id] = archive;
        },
        mayFail: bad,
        says: bad.map((id) => new RegExp(id)),
      };
    },
  },
  {
    id: 'retry-failed-move',
    says: 'Your move to the Archive this morning left a few videos behind. The support people say those are repaired now. Can you try them again?',
    knows: 'I don’t have the ids; it was the move from Product to Archive.',
    needs: { list_changes: [], resume_change: ['changeId', 'retryFailed'] },
    account: { seed: 32 },
    arrange({ world, before, afterwards }) {
      const ids = videoIds(world, 90, 'Product');
      const bad = [ids[5] ?? '', ids[40] ?? '', ids[77] ?? ''];
      for (const id of bad) world.poisonedVideoIds.add(id);
      before('move_videos', { targetProject: 'Archive', fromProject: 'Product', videoIds: ids });
      afterwards(() => world.poisonedVideoIds.clear());
      const archive = world.projectNamed('Archive').id;
      return {
        example: 'The three videos that were left are in Archive now.',
        wrong: ['They failed again.'],
        end: (account) => {
          for (const id of bad) account.projectOf[id] = archive;
        },
        // All of that move may be sent again: it is already there.
        onTheWay: [
          (account) => {
            for (const id of ids) account.projectOf[id] = archive;
          },
        ],
        mayFail: ids,
        says: [[3, /\b(?:three|all)\b/i]],
      };
    },
  },
  {
    id: 'copy-cta-lost-answer',
    says: ({ world }) =>
      `Copy the call to action of the video ${sourceOf(world)} onto the 60 videos in targets.txt. Every one of them exactly once please, twice would be embarrassing.`,
    knows: 'I can look at single videos in the dashboard later if you tell me which ones. Do not risk a second copy.',
    needs: { copy_cta: ['sourceVideoId', 'targetVideoIdsFile'] },
    account: { seed: 33 },
    arrange({ world, demo, writeFile }) {
      const source = sourceOf(world);
      const targets = videoIds(world, 200)
        .filter((id) => id !== source)
        .slice(100, 160);
      const lost = targets[33] ?? '';
      const hasLost = ({ path, body }: DemoRequest): boolean => path.endsWith('/cta/copy') && JSON.stringify(body).includes(lost);
      demo.faults.next({ match: { when: hasLost }, do: { kind: 'reset-after' } });
      writeFile('targets.txt', `${targets.join('\n')}\n`);
      return {
        example: `For a part of them, ${lost} among them, the answer was lost: it is not known whether they were copied. Please look at those.`,
        wrong: ['All 60 videos have it now.'],
        end: (account) => {
          for (const id of targets) account.copies[id] = [source];
        },
        says: [
          /\b(?:unknown|uncertain|unclear|unconfirmed|unsure|not (?:known|sure|certain|clear|confirmed)|doubt|lost|may (?:already|have|or may not)|might|unverified|could(?: not|n[’']t) (?:confirm|verify|tell)|can(?:not|[’']t) (?:confirm|verify|tell|say)|whether)\b/i,
        ],
      };
    },
  },
  {
    id: 'move-list-with-column',
    says: 'handover.csv in my files is the list from our agency. Please move the videos in it to the project Training.',
    knows:
      'The ids are in the column “Asset”. The column “Ref” is the agency’s own number and means nothing here. I don’t know in which projects they are now.',
    needs: { move_videos: ['targetProject', 'videoIdsFile'] },
    account: { seed: 34 },
    arrange({ world, writeFile }) {
      const ids = videoIds(world, 400).slice(200, 237);
      const others = videoIds(world, 500).slice(450, 487);
      // The agency's number looks like an id of a video, and it is one of another.
      const rows = ids.map((id, index) => `${others[index]},${id},"Cut ${index + 1}, final"`);
      writeFile('handover.csv', `Ref,Asset,Note\n${rows.join('\n')}\n`);
      const target = world.projectNamed('Training').id;
      return {
        example: 'All 37 videos are in Training.',
        end: (account) => {
          for (const id of ids) account.projectOf[id] = target;
        },
        says: [37],
        wrong: ['All 38 videos are in Training.'],
      };
    },
  },
  {
    id: 'move-left-rows',
    says: 'Please move the videos in cuts.csv (in my files) to the project Archive. For the agency I then need the rows of those that could not be moved, each with its number, its title and its remark, just as in the file.',
    knows:
      'The ids are in the column “Clip”, one video a row. All of them are in Training now. The agency can’t do anything with our ids alone.',
    needs: { move_videos: ['targetProject', 'videoIdsFile', 'idColumn', 'fromProject'] },
    settings: UNHURRIED,
    account: { seed: 95, videos: 1500 },
    arrange({ world, writeFile }) {
      const ids = videoIds(world, 620).slice(500);
      for (const id of ids) Object.assign(world.videos.get(id) ?? {}, { projectId: world.projectNamed('Training').id });
      const left = new Map([
        [17, 'ask Jana for the master'],
        [44, 'rights until May'],
        [45, 'logo blurred'],
        [103, 'second take, better sound'],
      ]);
      const rows = ids.map((id, index) => ({
        id,
        number: `A-${2001 + index * 3}`,
        title: `${['Opening', 'Interview', 'Close-up', 'Outro'][index % 4]} ${index + 1}, final`,
        remark: left.get(index) ?? (index % 5 === 0 ? 'checked' : ''),
      }));
      const failing = rows.filter((_, index) => left.has(index));
      for (const { id } of failing) world.poisonedVideoIds.add(id);
      writeFile(
        'cuts.csv',
        `No,Title,Clip,Remark\n${rows.map(({ id, number, title, remark }) => `${number},"${title}",${id},"${remark}"`).join('\n')}\n`,
      );
      const shown = (some: typeof rows): string => some.map(({ number, title, remark }) => `${number}: ${title} (${remark})`).join('\n');
      const archive = world.projectNamed('Archive').id;
      const move = (isMoved: (id: string) => boolean) => (account: AccountState) => {
        for (const id of ids) if (isMoved(id)) account.projectOf[id] = archive;
      };
      const isLeft = (id: string): boolean => failing.some((row) => row.id === id);
      return {
        example: `116 of 120 are in Archive. These could not be moved:\n${shown(failing)}`,
        wrong: [
          'All 120 are in Archive.',
          `116 of 120 are in Archive. These could not be moved: ${failing.map(({ id }) => id).join(', ')}.`,
          `116 of 120 are in Archive. These could not be moved:\n${shown(failing.slice(1))}`,
        ],
        end: move((id) => !isLeft(id)),
        wrongEnds: [move((id) => !isLeft(id) && id !== ids[18])],
        mayFail: failing.map(({ id }) => id),
        check({ finalAnswer, newFiles }) {
          // In the answer, or in a file that was written for them.
          const given = [finalAnswer, ...Object.values(newFiles)].join('\n');
          const lacking = failing.filter((row) => [row.number, row.title, row.remark].some((cell) => !given.includes(cell)));
          return lacking.map(({ number }) => `neither the answer nor a file has number, title and remark of the row ${number}`);
        },
      };
    },
  },
  {
    id: 'copy-cta-again',
    says: ({ world }) =>
      `Please copy the call to action of the video ${sourceOf(world)} onto all videos in autumn.csv (my files). I believe some of them got it from you last week already; those must not get it a second time. How many got it now, and how many had it?`,
    knows: 'The column is named video. Nobody copies calls to action but you. Once per video, never twice.',
    agrees: ({ text, asked = text }) =>
      /\bwould (?:be there|get them|have CTAs) twice\b/.test(text) && /\b(?:14|fourteen|twice|second|already|doubles?)\b/i.test(asked)
        ? 'No, those that have it must not get it again. Only the others, please.'
        : true,
    needs: { copy_cta: ['sourceVideoId', 'targetVideoIdsFile', 'idColumn'] },
    settings: UNHURRIED,
    account: { seed: 96 },
    arrange({ world, writeFile, before }) {
      const source = sourceOf(world);
      const others = videoIds(world, 300).filter((id) => id !== source);
      const earlier = others.slice(40, 80);
      const had = earlier.filter((_, index) => index % 3 === 0);
      const fresh = others.slice(120, 167);
      // Those that have it are spread over the list.
      const listed = [...fresh];
      for (const [index, id] of had.entries()) listed.splice(index * 4 + 1, 0, id);
      before('copy_cta', { sourceVideoId: source, targetVideoIds: earlier });
      writeFile('autumn.csv', `title,video\n${listed.map((id, index) => `"Autumn ${index + 1}",${id}`).join('\n')}\n`);
      const copy = (ids: readonly string[]) => (account: AccountState) => {
        for (const id of ids) account.copies[id] = [...(account.copies[id] ?? []), source];
      };
      return {
        example: `${fresh.length} videos got it now; ${had.length} had it from last week and were left alone.`,
        wrong: [`All ${listed.length} videos have got it now.`, `${fresh.length} videos got it now.`],
        exampleStart: copy(earlier),
        end: copy(fresh),
        wrongEnds: [copy(listed), copy(fresh.slice(1)), copy([...fresh, had[0] ?? ''])],
        says: [fresh.length, had.length],
      };
    },
  },
  {
    id: 'move-undo',
    says: 'Undo the move from Events to Archive that you made, we need those videos in Events after all.',
    knows: 'It was the last thing you did. All of them should go back.',
    needs: { list_changes: [], undo_change: ['changeId'] },
    account: { seed: 35 },
    arrange({ world, before }) {
      const ids = videoIds(world, 60, 'Events');
      before('move_videos', { targetProject: 'Archive', fromProject: 'Events', videoIds: ids });
      const events = world.projectNamed('Events').id;
      return {
        example: `All ${ids.length} are back in Events.`,
        exampleStart: (account) => {
          for (const id of ids) account.projectOf[id] = world.projectNamed('Archive').id;
        },
        end: (account: AccountState) => {
          for (const id of ids) account.projectOf[id] = events;
        },
      };
    },
  },
  {
    id: 'move-unknown-target',
    says: ({ world }) => `Please move these into the project “Trainings 2027”: ${videoIds(world, 30).slice(20).join(', ')}`,
    knows: 'There should be such a project. If there is none, please create nothing, leave the videos where they are and tell me.',
    needs: { move_videos: ['targetProject', 'videoIds'], list_projects: ['search'] },
    probes: [['list_projects', { search: 'Training' }]],
    account: { seed: 36 },
    arrange: () => ({
      example: 'There is no project called Trainings 2027 (only Training), so nothing was moved.',
      wrong: ['The ten videos are in Trainings 2027.'],
      says: [SAYS_NO],
    }),
  },
  {
    id: 'create-project',
    says: 'We need a new project “Podcasts” in the same region as “Webinars”, a normal one, not edge. And then move the videos in podcasts.txt into it.',
    knows: 'No description, default settings for the rest. podcasts.txt has one id per line, they are in various projects.',
    needs: { create_project: ['name', 'region'], move_videos: ['targetProject', 'videoIdsFile'], get_project: ['project'] },
    probes: [['get_project', { project: 'Webinars' }]],
    account: { seed: 37 },
    arrange({ world, writeFile }) {
      const ids = videoIds(world, 60).slice(35, 55);
      const { region } = world.projectNamed('Webinars');
      writeFile('podcasts.txt', `${ids.join('\n')}\n`);
      const created = (): string => [...world.projects.values()].find(({ name }) => name === 'Podcasts')?.id ?? 'the new project';
      return {
        example: 'Podcasts is there, with its 20 videos.',
        maxMutations: 2,
        end: (account) => {
          account.createdProjects = [{ name: 'Podcasts', description: '', region, planType: 1 }];
          for (const id of ids) account.projectOf[id] = created();
        },
      };
    },
  },
];

/** The first video that has calls to action. */
function sourceOf(world: Parameters<typeof videoIds>[0]): string {
  return [...world.videos.values()].find(({ ctas }) => ctas.length > 0)?.id ?? '';
}
