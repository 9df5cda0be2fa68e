import { test } from 'vitest';
import { COPY, MOVE, manyVideos } from '../../changes/kinds/videos/harness.ts';
import { freshHome } from '../../harness/start.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('moves that end otherwise', async () => {
  const account = await manyVideos(3_010);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const { ask, done, press, until, get, post, shown } = await desk(gallery, { demo, home });
  const from = { targetProject: archive, fromProject: elsewhere };
  const move = (videoIds: readonly string[]) => done('move_videos', { ...from, videoIds });

  await shown(await move(ids.slice(3_000, 3_003)), '067-move-of-3-applied', 'three videos were moved');
  for (const id of ids.slice(0, 4)) demo.world.poisonedVideoIds.add(id);
  await shown(await move(ids.slice(0, 300)), '068-move-partly-applied-4-failed', 'of 300, the service moves all but four');
  const failed = await move(ids.slice(0, 4));
  await shown(failed, '069-move-failed', 'the service moves none of four');
  const again = await post<{ changeId: string }>(`changes/${failed}/resume`, { retryFailed: true });
  await shown(again.changeId, '039-retry-of-failed-videos-waits', 'the person pressed to try the failed ones again');
  await press(again.changeId, 'apply');
  await until(failed, 'failed');
  await shown(failed, '098-move-failed-again', 'what failed was sent again, and failed again');
  demo.world.poisonedVideoIds.clear();
  demo.behaviour.managerProjects = new Set([archive]);
  await shown(await move(ids.slice(300, 340)), '110-move-refused-403', 'the key may take no videos from where they are');
  delete demo.behaviour.managerProjects;
  demo.faults.always({ match: MOVE, do: { kind: 'reset-after' } });
  const lost = await move(ids.slice(0, 3_000));
  demo.faults.clear();
  await shown(lost, '111-move-of-3000-without-an-answer', 'the connection is reset after each request');
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 502, body: '<html><body><h1>Bad Gateway</h1></body></html>' } });
  const html = await move(ids.slice(0, 50));
  demo.faults.clear();
  await shown(html, '112-move-html-of-a-proxy', 'each request is answered with 502 and HTML');

  const [source = '', ...targets] = ids;
  await shown(await done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(0, 30) }), '113-copy-applied', 'copied to 30');
  demo.faults.always({ match: COPY, skip: 1, do: { kind: 'reset-after' } });
  const doubt = await done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(40, 80) });
  demo.faults.clear();
  await shown(doubt, '114-copy-in-doubt', 'the connection is reset after each request of 40 but the first, alone');
  const one = await (async () => {
    demo.faults.next({ match: COPY, do: { kind: 'reset-after' } });
    return done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(90, 91) });
  })();
  await shown(one, '115-copy-to-one-in-doubt', 'no answer came to the one request');
  demo.faults.always({ match: COPY, do: { kind: 'status', code: 403, body: { message: 'Not yours.' } } });
  const refused = await done('copy_cta', { sourceVideoId: source, targetVideoIds: targets.slice(100, 103) });
  demo.faults.clear();
  await shown(refused, '116-copy-refused-403', 'each request is answered with 403');
  await get('changes');
  const later = await ask('move_videos', { ...from, videoIds: ids.slice(3_003) });
  await press(later, 'decline');
});
