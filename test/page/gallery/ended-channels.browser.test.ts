/** What became of changes of channels. */

import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { changeFiles } from '../../changes/support/journal-files.ts';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import type { Fault } from '../../harness/faults.ts';
import { startService } from '../../harness/service.ts';
import { held } from '../support.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();
const PROXY = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1><p>proxy-7.internal</p></body></html>';
const REFUSALS: readonly (readonly [string, Fault])[] = [
  ['070-failed-400-name-taken', { kind: 'status', code: 400, body: { message: 'A channel with this name already exists.' } }],
  ['071-failed-403', { kind: 'status', code: 403, body: { message: 'You are not allowed to change this channel.' } }],
  ['072-failed-404', { kind: 'status', code: 404, body: { message: 'Channel not found.' } }],
  ['073-failed-409', { kind: 'status', code: 409, body: { message: 'The channel was changed meanwhile.' } }],
  ['074-failed-401', { kind: 'status', code: 401, body: { message: 'Invalid credentials.' } }],
  ['075-failed-429-asks-to-wait-an-hour', { kind: 'status', code: 429, retryAfter: 3_600 }],
  ['076-failed-500', { kind: 'status', code: 500, body: { message: 'Internal error' } }],
  ['077-failed-503-asks-to-wait-an-hour', { kind: 'status', code: 503, retryAfter: 3_600 }],
  ['078-failed-502-html-of-a-proxy', { kind: 'status', code: 502, body: PROXY }],
];

test('changes that the service refuses', async () => {
  const demo = await startService({ channels: REFUSALS.length + 4, projects: 2 });
  const at = (index: number) => channelAt(demo, index);
  const { done, view, shown } = await desk(gallery, { demo });
  for (const [index, [name, fault]] of REFUSALS.entries()) {
    demo.faults.always({ match: { method: 'PUT' }, do: fault });
    const changeId = await done('update_channels', {
      changes: [{ ...held(at(index)), name: `Refused ${index}`, removeVideoKeys: at(index).videoKeys.slice(0, 1) }],
    });
    demo.faults.clear();
    await shown(changeId, name, `each PUT is answered with ${JSON.stringify(fault)}`);
  }
  demo.faults.always({
    match: { method: 'PUT', path: new RegExp(at(REFUSALS.length).id) },
    do: { kind: 'status', code: 403, body: { message: 'Not yours.' } },
  });
  const part = await done('update_channels', {
    changes: [0, 1, 2, 3].map((more) => ({ ...held(at(REFUSALS.length + more)), name: `Part ${more}` })),
  });
  demo.faults.clear();
  await shown(part, '079-partly-applied-403-for-one-of-four', 'the PUT of one of four channels is answered with 403');
  await view('changes', '105-changes-failed-in-all-ways', 'one change failed with each status, one was applied in part');
});

test('changes in doubt', async () => {
  const demo = await startService({ channels: 4, projects: 2 });
  const at = (index: number) => channelAt(demo, index);
  const { done, shown } = await desk(gallery, { demo });
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'reset-after' } });
  demo.faults.always({ match: { method: 'GET', path: new RegExp(at(0).id) }, skip: 3, do: { kind: 'status', code: 404 } });
  const one = await done('update_channels', { changes: [{ ...held(at(0)), name: 'In doubt' }] });
  demo.faults.clear();
  await shown(one, '080-update-without-an-answer', 'the connection is reset after the PUT, and the channel can’t be read then');
  demo.faults.always({ match: { method: 'POST', path: '/v1/projects' }, do: { kind: 'reset-after' } });
  const project = await done('create_project', { name: 'In doubt', region: 'use-s' });
  await shown(project, '081-creation-without-an-answer', 'the connection is reset after the POST');
});

test('changes that were applied, and what came of them since', async () => {
  const demo = await startService({ channels: 12, projects: 4 });
  const at = (index: number) => channelAt(demo, index);
  const { ask, call, done, press, until, post, dataDir, see, view, shown } = await desk(gallery, { demo });
  const keys = videoKeysOf(demo, 40);

  const lists = await done('update_channels', {
    changes: [
      {
        ...held(at(0)),
        firstVideoKeys: at(0).videoKeys.slice(-1),
        removeVideoKeys: at(0).videoKeys.slice(0, 1),
        addVideoKeys: keys.filter((key) => !at(0).videoKeys.includes(key)).slice(0, 2),
      },
    ],
  });
  await shown(lists, '061-videos-of-a-channel-applied', 'one removed, two added, one to the front, as stated; applied');
  const statement = await done('state_contents', {
    channels: [1, 2].map((index) => ({ channel: at(index).id, videoKeys: at(index).videoKeys, projectKeys: at(index).projectKeys })),
  });
  await shown(statement, '062-statement-recorded', 'state_contents of two channels, recorded');
  const created = await done('create_channels', { channels: [{ name: 'Brand new', videoKeys: keys.slice(0, 6) }] });
  await shown(created, '063-channel-created', 'create_channels, applied');
  const project = await done('create_project', { name: 'Press 2027', region: 'use-s' });
  await shown(project, '064-project-created', 'create_project, applied');
  const emptied = await done('update_channels', { changes: [{ channel: at(1).id, setVideoKeys: [], setProjectKeys: [] }] });
  await shown(emptied, '065-emptying-refused-or-applied', 'the demo service refuses to empty a channel');

  const declined = await ask('update_channels', { changes: [{ ...held(at(3)), name: 'No' }] });
  await press(declined, 'decline', 'Not this one: it is the “Press” channel that I meant.');
  await shown(declined, '082-declined-with-a-note', 'the person declined with a note');
  const giveUp = new AbortController();
  const withdrawn = await ask('update_channels', { changes: [{ ...held(at(3)), name: 'Given up' }] }, { signal: giveUp.signal });
  giveUp.abort();
  await until(withdrawn, 'withdrawn');
  await shown(withdrawn, '083-withdrawn-by-the-assistant', 'the call was cancelled');
  const ended = await ask('update_channels', { changes: [{ ...held(at(3)), name: 'Stopped' }] });
  await call('stop_change', { changeId: ended });
  await shown(ended, '084-withdrawn-by-stop-change', 'stop_change of what waits');
  const undone = await done('update_channels', { changes: [{ ...held(at(5)), name: 'To be undone' }] });
  const undo = await post<{ changeId: string }>(`changes/${undone}/undo`);
  await press(undo.changeId, 'apply');
  await until(undo.changeId);
  await shown(undone, '086-undone', 'applied, then undone on the page');
  await shown(undo.changeId, '087-undo-applied', 'the undo of a rename, applied');
  const two = await done('update_channels', { changes: [6, 7].map((index) => ({ ...held(at(index)), name: `Renamed ${index}` })) });
  demo.world.editChannel(at(7).id, { description: 'By a colleague' });
  await shown(two, '088-undo-possible-for-one-of-two', 'a colleague changed one of two channels since');
  const part = await post<{ changeId: string }>(`changes/${two}/undo`);
  await press(part.changeId, 'apply');
  await until(part.changeId);
  await shown(two, '089-partly-undone', 'one of two channels was set back, the other left alone');
  await shown(part.changeId, '090-undo-applied-but-for-one', 'the undo left alone what a colleague changed');
  const since = await done('update_channels', { changes: [{ ...held(at(8)), description: 'Ours' }] });
  demo.world.editChannel(at(8).id, { name: 'Renamed by a colleague', description: 'Theirs' });
  await shown(since, '091-applied-and-changed-since-by-a-colleague', 'a colleague renamed and described the channel since: no undo');

  demo.faults.always({ match: { method: 'PUT', path: new RegExp(at(10).id) }, do: { kind: 'status', code: 401 } });
  const cut = await done('update_channels', { changes: [9, 10, 11].map((index) => ({ ...held(at(index)), name: `Carried on ${index}` })) });
  demo.faults.clear();
  const rest = await post<{ changeId: string }>(`changes/${cut}/resume`, { retryFailed: true });
  await press(rest.changeId, 'apply');
  await until(cut, 'applied');
  await shown(cut, '092-resumed-and-applied', 'cut short by a 401, carried on from the page');
  await see(`changes/${cut}`);
  await post(`changes/${cut}/stop`);
  await shown(cut, '056-stop-pressed-after-the-end', 'Stop was pressed when it had ended');

  await view('changes', '106-changes-history-of-all-kinds', 'about twenty that are over');
  const [file = ''] = changeFiles(dataDir);
  writeFileSync(file, readFileSync(file, 'utf8').replace('{"type":"intent"', '{"type":"inte'));
  await view(`changes/${lists}`, '093-kept-record-is-damaged', 'the intent in the journal’s file is damaged');
  await view('changes', '107-changes-one-is-damaged', 'the intent of one in the journal is damaged');
  await view('changes/chg-none', '094-no-such-change', 'an address of a change that is not there');
  await view('nowhere', '120-no-such-view', 'an address of no view');
});
