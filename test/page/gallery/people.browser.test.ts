/** Several people on a server over HTTP. */
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { removePerson, rotateSecrets } from '../../../src/people/change-people.ts';
import { peopleFileIn } from '../../../src/people/people.ts';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { type PersonName, spawnHttp } from '../../harness/http.ts';
import { startService } from '../../harness/service.ts';
import { deskOn } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();
const never = new AbortController().signal;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Page key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('people who sign in, ask, wait for each other and decide', async () => {
  const demo = await startService({ channels: 5, projects: 3 });
  const session = await spawnHttp({ demo, env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  const { url, people, dataDir } = session;
  const open = async (name: PersonName, path = '/app/changes') => {
    const page = await gallery.open(`${url}${path}`);
    await signIn(page, people[name].secrets.pageKey);
    await page.getByText(`Signed in as ${name}`).waitFor();
    const client = await session.connect(people[name]);
    return { client, ...deskOn(gallery, page, `${url}/app/`, (tool, args) => client.callTool(tool, args)) };
  };
  const signedOut = await gallery.open(`${url}/app/changes`);
  await gallery.state(signedOut, '170-sign-in', 'an address of the page, without a sign-in');
  await signIn(signedOut, 'vhp_wrongwrongwrongwrongwrongwrongwrongwrongwro');
  await signedOut.getByRole('alert').first().waitFor();
  await gallery.state(signedOut, '171-sign-in-wrong-key', 'a wrong page key');
  await signIn(signedOut, people.ann.secrets.clientToken);
  await signedOut
    .getByText(/client token|vhm_/)
    .first()
    .waitFor();
  await gallery.state(signedOut, '172-sign-in-with-a-client-token', 'a client token in place of the page key');

  const bob = await open('bob');
  await bob.view('changes', '173-changes-empty-signed-in', 'Bob, who may ask, and nothing was asked yet');
  const asked = await bob.client.callTool('create_project', { name: 'Press 2027', region: 'use-s' });
  const project = String(asked.data?.changeId);
  const { id, videoKeys, projectKeys } = channelAt(demo, 0);
  const rename = (name: string) => ({
    changes: [{ channel: id, name, currentVideoKeys: [...videoKeys], currentProjectKeys: [...projectKeys] }],
  });
  const first = String((await bob.client.callTool('update_channels', rename('Bob’s name'))).data?.changeId);
  const ann = await open('ann');
  const second = String((await ann.client.callTool('update_channels', rename('Ann’s name'))).data?.changeId);
  const deep = await gallery.open(`${url}/changes/${project}`);
  await gallery.state(deep, '174-sign-in-on-the-way-to-a-change', 'the link of a change, without a sign-in');
  await bob.shown(project, '175-own-change-waits-for-somebody-else-may-not-approve', 'Bob asked and may not approve');
  await ann.shown(second, '176-own-change-waits-for-somebody-else-may-approve', 'Ann asked, may approve, and a second person is required');
  await ann.shown(first, '177-change-of-another-waits-for-your-decision', 'Bob asked, Ann may approve; Ann’s own change would overtake it');
  await ann.view('changes', '178-changes-own-and-of-others', 'Ann sees her own and Bob’s');
  const eve = await open('eve');
  await eve.shown(project, '179-bystander-looks-at-a-change', 'Eve may only read');
  await eve.view('changes', '180-bystander-looks-at-the-list', 'Eve may only read');
  await eve.view(`channels/${id}`, '181-bystander-looks-at-a-channel', 'Eve may only read');
  await ann.press(first, 'decline', 'We keep the name.');
  await bob.shown(first, '182-declined-by-another-with-a-note', 'Ann declined what Bob asked for');
  await ann.press(project, 'apply');
  await ann.until(project);
  await bob.shown(project, '183-applied-by-another', 'Ann approved what Bob asked for');
  await eve.shown(project, '184-bystander-looks-at-a-receipt', 'Ann approved what Bob asked for; Eve looks');
  await eve.see('reports');
  await bob.client.callTool('create_project', { name: 'Another', region: 'use-s' });
  await eve.page.getByText('A change was asked for, and waits for somebody who may approve it.').waitFor();
  await gallery.state(eve.page, '185-bystander-is-told-that-a-change-waits', 'Bob asked while Eve looked at reports');
  const emails = await bob.client.callTool('get_collected_emails', { exportAs: 'csv' });
  const exported = String(emails.data?.changeId);
  await ann.shown(exported, '186-export-of-emails-waits-for-approval', 'Bob asked for emails');
  await ann.press(exported, 'apply');
  await ann.until(exported);
  await ann.shown(exported, '187-export-of-emails-ready', 'Ann approved, and may download');
  await eve.shown(exported, '188-export-of-emails-of-others', 'Eve may not download');
  const created = await bob.client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: videoKeysOf(demo, 3) }] });
  const dan = await open('dan', `/changes/${String(created.data?.changeId)}`);
  await gallery.state(dan.page, '189-who-only-approves-looks-at-a-change', 'Dan may read and approve');

  await bob.view('connect', '190-connect-a-client', 'the view with which clients are connected');
  await bob.page.getByRole('button', { name: 'Make a new token …' }).click();
  await bob.page.getByText('The old one ends at once').waitFor();
  await gallery.state(bob.page, '191-new-token-asked', 'Bob pressed “Make a new token …”');
  await bob.page.getByRole('button', { name: 'Make a new token', exact: true }).click();
  await bob.page.getByText('It is shown this once.').first().waitFor();
  await gallery.state(bob.page, '192-new-token-shown-once', 'the token is shown this once');

  const inside = await bob.page.context().newPage();
  await inside.goto(`${url}/app/nowhere`);
  await gallery.state(inside, '193-wrong-address-inside', 'an address below /app/ that is not there');
  await inside.goto(`${url}/nowhere`);
  await gallery.state(inside, '194-wrong-address-outside', 'an address that is not there');
  await inside.goto(`${url}/changes/chg-none`);
  await gallery.state(inside, '195-link-of-a-change-that-is-not-there', 'a link of a change that nobody has');

  await ann.see(`changes/${second}`);
  await rotateSecrets(peopleFileIn(dataDir), 'ann', never);
  await ann.page.getByText('You are not signed in any more.').waitFor();
  await gallery.state(ann.page, '196-sign-in-ended-while-a-change-is-looked-at', 'the secrets of Ann were made anew');
  await removePerson(peopleFileIn(dataDir), 'eve', never);
  await eve.page.getByText('You are not signed in any more.').waitFor();
  await gallery.state(eve.page, '197-person-was-removed', 'Eve was removed while she looked');
  await bob.see('changes');
  await bob.page.getByRole('button', { name: 'Sign out' }).click();
  await bob.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await gallery.state(bob.page, '198-signed-out', 'Bob pressed “Sign out”');
  await session.kill();
  await dan.page.getByText('The server of this page has ended').first().waitFor();
  await gallery.state(dan.page, '199-server-for-several-ended', 'the server was killed while Dan looked at a change');
});
