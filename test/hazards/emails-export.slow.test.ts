/** Collected emails are exported or shown only after a person agreed, and never more than they agreed to. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { agree } from '../changes/support/confirm.ts';
import { everythingIn } from '../changes/support/journal-files.ts';
import { APPLY, ERAS, type FormConduct, recordsIn, type Values } from '../harness/client.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { homeWithFiles, type ServerOptions, start } from '../harness/start.ts';
import { emailsOf, peopleIn, serviceWith, tracesOf } from './emails-support.ts';
import { everyFile } from './secrets-support.ts';

const TOOL = 'get_collected_emails';
const FIELDS = ['fullName', 'email', 'mobileNumber', 'videoKey', 'channelKey', 'created'] as const;

/** A home with a folder for files, and the names of what is in that. */
function withFolder(env: ServerOptions['env'] = {}) {
  const where = homeWithFiles(env);
  return { ...where, names: () => readdirSync(where.folder) };
}

function expectNobodyIn(text: string, demo: DemoService): void {
  for (const trace of tracesOf(emailsOf(demo))) expect(text).not.toContain(trace);
}

const EXPORTS = ERAS.flatMap((kind, at) =>
  (['accept', 'none'] as const).map((forms, asked) => [kind, forms, at % 2 === asked ? 'csv' : 'json'] as const),
);

describe.each(EXPORTS)('%s, forms: %s, format: %s', (kind, forms, exportAs) => {
  test('a confirmed export is readable only by its owner, and no output names a person', async () => {
    const { names, folder, ...where } = withFolder();
    const { client, demo, output, dataDir } = await start({ client: kind, forms, ...where });
    const emails = emailsOf(demo);
    const reply = await agree(client, TOOL, { exportAs, from: '2026-05-01' });
    const meant = emails.filter(({ created }) => Date.parse(created) >= Date.UTC(2026, 4, 1));
    const [name = '', ...others] = names();
    expect(others).toEqual([]);
    const path = join(folder, name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(recordsOf(path)).toEqual(meant.map((record) => FIELDS.map((field) => safe(record[field], exportAs))));
    expect(reply.data).toMatchObject({ status: 'applied', path, written: meant.length, people: peopleIn(meant), columns: FIELDS });
    expect(reply.text).toContain(path);
    expectNobodyIn(output(), demo);
    expectNobodyIn(everyFile(dataDir), demo);
    expect(everyFile(dataDir)).toContain('from 2026-05-01T00:00:00.000Z');
    const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    expect(change).toMatchObject({ kind: 'export_emails', status: 'applied', confirmedBy: forms === 'accept' ? 'form' : 'token' });
    expect(String(change?.summary)).toContain(`Write ${meant.length.toLocaleString('en-US')} collected emails (from 2026-05-01`);
    const shown = await client.callTool('get_change', { changeId: change?.changeId });
    expect(shown.text).toContain(path);
    await client.readResource(`video-hosting://changes/${String(change?.changeId)}`);
    expectNobodyIn(output(), demo);
  });
});

/** The records of a CSV or JSON file as lists of texts. */
function recordsOf(path: string): string[][] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.csv')) {
    // Without it, a spreadsheet reads letters in the encoding of the machine.
    expect(text.startsWith('\ufefffullName,')).toBe(true);
    return parse(text, { bom: true, from: 2 });
  }
  const records: Values[] = JSON.parse(text);
  return records.map((record) => FIELDS.map((field) => String(record[field] ?? '')));
}

const safe = (value: string, format: string): string => (format === 'csv' && /^[=+@-]/.test(value) ? `'${value}` : value);

describe('an export that nobody agreed to', () => {
  const conducts: readonly FormConduct[] = ['nothing', 'decline', 'cancel'];
  // The setting keeps the server asking by form, also after a form that the client did not show.
  const settings = { VIDEO_HOSTING_PERSONAL_DATA: 'allowed', VIDEO_HOSTING_CONFIRM: 'form' };
  test.each(ERAS.flatMap((kind) => conducts.map((forms) => [kind, forms] as const)))('writes nothing (%s, %s)', async (kind, forms) => {
    const { names, ...where } = withFolder(settings);
    const { client, demo, output, dataDir } = await start({ client: kind, forms, ...where });
    for (const args of [{ exportAs: 'csv' }, { showRecords: true }]) {
      const reply = await client.callTool(TOOL, args);
      expect(names()).toEqual([]);
      expect(reply.data?.status).toBe('declined');
    }
    expect(client.forms).toHaveLength(2);
    // Which account it is may be noted, and that a person declined, for other processes and for an audit: digests and times.
    const files = everythingIn(dataDir).filter((path) => statSync(path).isFile());
    expect(files.filter((path) => !/known-accounts|decided|unseen-forms|\/audit\//.test(path))).toEqual([]);
    for (const path of files) expectNobodyIn(readFileSync(path, 'utf8'), demo);
    expectNobodyIn(output(), demo);
  });

  test('is not done if emails were added after the person saw the form', async () => {
    const { names, ...where } = withFolder();
    const demo = await startService();
    const forms = () => {
      demo.world.emails.push(...demo.world.emails.slice(0, 1).map((email) => ({ ...email, created: '2026-10-30T00:00:00Z' })));
      return APPLY;
    };
    const { client } = await start({ demo, forms, ...where });
    const reply = await client.callTool(TOOL, { exportAs: 'csv' });
    expect(names()).toEqual([]);
    expect(reply.text).toContain('The account changed after the user was shown the plan');
  });
});

describe('records', () => {
  test.each(['accept', 'none'] as const)('are shown, fifty at most, if allowed and confirmed by the user (forms: %s)', async (forms) => {
    const { client, demo, dataDir } = await start({ forms, env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed' } });
    const reply = await agree(client, TOOL, { showRecords: true });
    expect(recordsIn(reply.data, 'records')).toEqual(
      emailsOf(demo)
        .slice(0, 50)
        .map((record) =>
          Object.fromEntries(FIELDS.flatMap((field) => (record[field] === '' && /Key$/.test(field) ? [] : [[field, record[field]]]))),
        ),
    );
    expectNobodyIn(everyFile(dataDir), demo);
    expect(everyFile(dataDir)).toContain('"show_emails"');
  });
});

test('the form names the folder, the number of emails and the filter, and warns of personal data', async () => {
  const { folder, ...where } = withFolder();
  const { client, demo } = await start({ forms: 'nothing', ...where });
  const strange = 'a\u202eb\u200bc\n"x"';
  demo.world.emails.push(...demo.world.emails.slice(0, 1).map((email) => ({ ...email, videoKey: strange })));
  await client.callTool(TOOL, { exportAs: 'json', videoKey: strange });
  expect(client.forms[0]?.message).toContain('This is personal data of viewers.');
  expect(client.forms[0]?.message).toContain(JSON.stringify(folder));
  expect(client.forms[0]?.message).toContain('Write 1 collected emails (video "abc \\"x\\"")');
  expect(hiddenIn(JSON.stringify(client.forms[0]))).toEqual([]);
  await client.callTool(TOOL, { exportAs: 'csv' });
  expect(client.forms[1]?.message).toContain(
    `Write ${emailsOf(demo).length.toLocaleString('en-US')} collected emails (all of the last year)`,
  );
});

test('an export of one domain contains only the records of that domain', async () => {
  const { folder, names, ...where } = withFolder();
  const { client, demo } = await start({ forms: 'accept', ...where });
  const [first] = emailsOf(demo);
  const domain = first?.email.split('@')[1]?.toLowerCase() ?? '';
  const meant = emailsOf(demo).filter(({ email }) => email.toLowerCase().endsWith(`@${domain}`));
  const reply = await client.callTool(TOOL, { exportAs: 'json', emailDomain: domain });
  expect(recordsOf(join(folder, names()[0] ?? '')).map(([, email]) => email)).toEqual(meant.map(({ email }) => email));
  expect(reply.data).toMatchObject({ written: meant.length, people: peopleIn(meant) });
  expect(client.forms[0]?.message).toContain(`(addresses at ${JSON.stringify(domain)})`);
});

test.each(['accept', 'none'] as const)('a call that matches no emails asks nobody and writes no file (forms: %s)', async (forms) => {
  const { names, ...where } = withFolder({ VIDEO_HOSTING_PERSONAL_DATA: 'allowed' });
  const { client, demo, dataDir } = await start({ forms, ...where });
  const none = { videoKey: 'nobody-left-one-here' };
  const exported = await client.callTool(TOOL, { exportAs: 'csv', ...none });
  const shown = await client.callTool(TOOL, { showRecords: true, ...none });
  expect(client.forms).toEqual([]);
  expect(names()).toEqual([]);
  expect(existsSync(join(dataDir, 'accounts'))).toBe(false);
  expect(exported.text).toContain(
    'There are no collected emails (video "nobody-left-one-here"): nothing to export, and no file is written.',
  );
  expect(shown.text).toContain('nothing to show.');
  expect(exported.data).not.toHaveProperty('confirmationToken');
  // Records that could not be judged are reported.
  demo.world.emails.length = 0;
  demo.world.emails.push({ fullName: 'A', email: 'a@b.example', mobileNumber: '', videoKey: 'v', channelKey: 'c', created: 'long ago' });
  const undated = await client.callTool(TOOL, { exportAs: 'csv', from: '2026-01-01' });
  expect(undated.text).toContain('1 could not be judged: unreadable, or without a time.');
});

test.each(['csv', 'json'])('an export is for people: no file argument reads it, by whatever column (%s)', async (exportAs) => {
  const { names, folder, ...where } = withFolder();
  const { client, demo, output } = await start({ forms: 'accept', ...where });
  await client.callTool(TOOL, { exportAs });
  const [name = ''] = names();
  symlinkSync(join(folder, name), join(folder, 'list.csv'));
  const targetProject = [...demo.world.projects.values()][0]?.id;
  const [channel] = [...demo.world.channels.values()];
  for (const [tool, args] of [
    ['move_videos', { targetProject, videoIdsFile: name, idColumn: 'email' }],
    ['move_videos', { targetProject, videoIdsFile: join(folder, name), idColumn: 'fullName' }],
    ['move_videos', { targetProject, videoIdsFile: 'list.csv', idColumn: 'mobileNumber' }],
    ['copy_cta', { sourceVideoId: 'a', targetVideoIdsFile: name, idColumn: 'email' }],
    ['update_channels', { changes: [{ channel: channel?.id, setVideoKeysFile: name, currentVideoKeys: [] }] }],
    ['state_contents', { file: name }],
  ] as const) {
    const { isError, text } = await client.callTool(tool, args);
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining('It holds collected emails, which are for people'),
    });
  }
  expectNobodyIn(output(), demo);
});

test('of a CSV file the form and the answer say how many cells have an apostrophe, and of a JSON file none has', async () => {
  const { folder, names, ...where } = withFolder();
  const demo = await serviceWith([
    { fullName: 'Zoë', email: 'zoe@example.com', mobileNumber: '+49 151 2345678', videoKey: 'v' },
    { fullName: '=1+1', email: '+plus@example.com', mobileNumber: '0151', videoKey: 'v' },
  ]);
  const { client } = await start({ demo, forms: 'accept', ...where });
  const told = '3 cells of the CSV have an apostrophe before what a spreadsheet would take for a formula';
  const csv = await client.callTool(TOOL, { exportAs: 'csv' });
  expect(recordsOf(String(csv.data?.path)).map(([fullName, , number]) => [fullName, number])).toEqual([
    ['Zoë', "'+49 151 2345678"],
    ["'=1+1", '0151'],
  ]);
  expect(client.forms[0]?.message.replace(/\s+/g, ' ')).toContain(told);
  expect(csv.data?.note).toContain(`${told} (numbers and addresses that begin with +, - or =). A JSON file has each value as it is.`);
  const json = await client.callTool(TOOL, { exportAs: 'json' });
  expect(recordsOf(String(json.data?.path)).map(([, , number]) => number)).toEqual(['+49 151 2345678', '0151']);
  for (const text of [client.forms[1]?.message, json.text]) expect(text).not.toContain('apostrophe');
  expect(names()).toHaveLength(2);
});

test('with several folders set, an export is written to the first', async () => {
  const { home, folder } = withFolder();
  mkdirSync(join(home, 'other'));
  const { client } = await start({ home, forms: 'accept', env: { VIDEO_HOSTING_FILES_DIR: `${folder}:${join(home, 'other')}` } });
  const reply = await client.callTool(TOOL, { exportAs: 'csv' });
  expect(dirname(String(reply.data?.path))).toBe(folder);
});
