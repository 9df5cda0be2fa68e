import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND_NAMES, COMMANDS } from '../../src/config/commands.ts';
import { helpText } from '../../src/config/help.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { missingSettings, SETTINGS } from '../../src/config/settings.ts';

const parse = (env: Record<string, string> = {}, ...argv: string[]) => parseConfig(argv, { HOME: '/home/someone', ...env });

const USABLE = {
  VIDEO_HOSTING_BASE_URL: 'https://api.example.com',
  VIDEO_HOSTING_STATS_URL: 'https://stats.example.com/base/',
  VIDEO_HOSTING_API_KEY: 'k3y',
};

test('without settings, the documented defaults apply and the missing settings are listed', () => {
  const { command, settings, problems } = parse();
  expect({ command, problems }).toEqual({ command: 'serve', problems: [] });
  expect(settings).toEqual({
    statsAuth: 'none',
    httpListen: '127.0.0.1:8765',
    readOnly: false,
    confirm: 'ask',
    secondPerson: 'never',
    browser: 'auto',
    desktop: { platform: 'linux', browser: '', hasDisplay: false, isRemote: false, path: '', home: '/home/someone' },
    callBudgetMs: 45_000,
    personalData: 'masked',
    filesDirs: [],
    dataDir: '/home/someone/.local/share/video-hosting-mcp',
    demo: false,
  });
  expect(missingSettings(settings)).toEqual(['VIDEO_HOSTING_BASE_URL', 'VIDEO_HOSTING_API_KEY']);
  expect(missingSettings(parse(USABLE).settings)).toEqual([]);
  expect(missingSettings(parse({}, '--demo').settings)).toEqual([]);
});

test.each([
  ['linux', {}, '/home/someone/.local/share/video-hosting-mcp'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/video-hosting-mcp'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/someone/.local/share/video-hosting-mcp'],
  ['darwin', {}, '/home/someone/Library/Application Support/video-hosting-mcp'],
  ['win32', { USERPROFILE: 'C:\\Ada Löv', LOCALAPPDATA: 'C:\\Ada Löv\\AppData\\Local' }, 'C:\\Ada Löv\\.video-hosting-mcp'],
  ['win32', { HOME: 'D:\\home', USERPROFILE: '' }, 'D:\\home\\.video-hosting-mcp'],
] as const)('on %s the data folder with %j is %s', (platform, env, folder) => {
  expect(parseConfig([], { HOME: '/home/someone', ...env }, platform).settings.dataDir).toBe(folder);
});

test('paths are parsed by the rules of the platform', () => {
  const settingsOn = (platform: NodeJS.Platform, value: string) => parseConfig([], { VIDEO_HOSTING_FILES_DIR: value }, platform);
  const windows = settingsOn('win32', 'C:\\Users\\ada\\files;\\\\server\\share');
  expect(windows).toMatchObject({ problems: [], settings: { filesDirs: ['C:\\Users\\ada\\files', '\\\\server\\share'] } });
  expect(settingsOn('linux', '/a:/b')).toMatchObject({ problems: [], settings: { filesDirs: ['/a', '/b'] } });
  expect(settingsOn('win32', 'files').problems).toEqual(['VIDEO_HOSTING_FILES_DIR must hold absolute paths, separated by ";".']);
  expect(settingsOn('darwin', 'C:\\files').problems).toEqual(['VIDEO_HOSTING_FILES_DIR must hold absolute paths, separated by ":".']);
});

test('no folder or file hangs on the folder in which a client starts the server', () => {
  const relative = { VIDEO_HOSTING_VIDEO_CATALOGUE: 'videos.csv', VIDEO_HOSTING_DATA_DIR: './data', VIDEO_HOSTING_NOTIFY: '../tell' };
  for (const [variable, value] of Object.entries(relative))
    expect(parse({ [variable]: value }).problems).toEqual([`${variable} must be an absolute path.`]);
  expect(parseConfig([], { HOME: 'home' }).problems).toEqual([
    'VIDEO_HOSTING_DATA_DIR is not set, and this user has no home folder to keep data in: set it, or HOME.',
  ]);
  expect(parseConfig([], { HOME: 'home', XDG_DATA_HOME: '/data' })).toMatchObject({
    problems: [],
    settings: { dataDir: '/data/video-hosting-mcp' },
  });
  expect(parseConfig([], { HOME: 'home', VIDEO_HOSTING_DATA_DIR: '/with spaces/data/' })).toMatchObject({
    problems: [],
    settings: { dataDir: '/with spaces/data/' },
  });
});

test('every setting is read from its variable and from its flag, which takes precedence', () => {
  const values: Record<string, [variable: string, flag: string]> = {
    baseUrl: ['https://a.example', 'https://b.example'],
    statsUrl: ['https://a.example', 'https://b.example'],
    statsAuth: ['bearer', 'none'],
    confirm: ['token', 'form'],
    callBudgetMs: ['2000', '3000'],
    personalData: ['allowed', 'masked'],
    filesDirs: ['/a', '/b'],
    videoCatalogue: ['/a.csv', '/b.csv'],
    dataDir: ['/a', '/b'],
  };
  for (const [name, [fromVariable, fromFlag]] of Object.entries(values)) {
    const row = SETTINGS[name as keyof typeof SETTINGS]; // a name from the table
    const shown = (value: string) => (name === 'filesDirs' ? [value] : name === 'callBudgetMs' ? Number(value) : value);
    const one = parse({ [row.variable]: fromVariable });
    expect(one).toMatchObject({ problems: [], settings: { [name]: shown(fromVariable) } });
    const flag = 'flag' in row ? `--${row.flag}` : '';
    for (const argv of [[flag, fromFlag], [`${flag}=${fromFlag}`]])
      expect(parse({ [row.variable]: fromVariable }, ...argv)).toMatchObject({ problems: [], settings: { [name]: shown(fromFlag) } });
  }
  expect(parse({}, '--read-only').settings.readOnly).toBe(true);
  expect(parse({ VIDEO_HOSTING_FILES_DIR: '/a:/b' }).settings.filesDirs).toEqual(['/a', '/b']);
});

test('a credential has no flag', () => {
  for (const row of Object.values(SETTINGS)) if ('secret' in row) expect(row).not.toHaveProperty('flag');
});

test.each(['1', 'true', 'TRUE', 'on', 'yes'])('VIDEO_HOSTING_READ_ONLY=%s is read-only', (value) => {
  expect(parse({ VIDEO_HOSTING_READ_ONLY: value })).toMatchObject({ problems: [], settings: { readOnly: true } });
});

test.each(['', '  ', `\${user_config.read_only}`, '0', 'false', 'off', 'no'])('VIDEO_HOSTING_READ_ONLY=%j is not read-only', (value) => {
  expect(parse({ VIDEO_HOSTING_READ_ONLY: value })).toMatchObject({ problems: [], settings: { readOnly: false } });
});

test('what a bundle host passes for an unset field counts as unset', () => {
  const env = Object.fromEntries(Object.values(SETTINGS).map(({ variable }) => [variable, `\${user_config.${variable.toLowerCase()}}`]));
  expect(parse(env)).toEqual(parse());
});

const MARKS = 'must not stand in quotation marks, which would be a part of it: write it without them.';

const MISTAKES: readonly (readonly [env: Record<string, string>, argv: readonly string[], says: string])[] = [
  [{ VIDEO_HOSTING_READONLY: '1' }, [], 'Unknown setting VIDEO_HOSTING_READONLY. Did you mean VIDEO_HOSTING_READ_ONLY?'],
  [{ VIDEOHOSTING_READ_ONLY: '1' }, [], 'Did you mean VIDEO_HOSTING_READ_ONLY?'],
  [{ video_hosting_read_only: '1' }, [], 'Did you mean VIDEO_HOSTING_READ_ONLY?'],
  [{ VIDEO_HOSTNG_READ_ONLY: '1' }, [], 'Did you mean VIDEO_HOSTING_READ_ONLY?'],
  [{ VIDOE_HOSTING_CONFIRM: 'form' }, [], 'Did you mean VIDEO_HOSTING_CONFIRM?'],
  [{ 'VIDEO-HOSTING-CONFIRM': 'form' }, [], 'Did you mean VIDEO_HOSTING_CONFIRM?'],
  [{ VIDEO_HOSTING_TOKEN: 'x' }, [], 'Unknown setting VIDEO_HOSTING_TOKEN.'],
  [{ VIDEO_HOSTING_READ_ONLY: 'ture' }, [], 'VIDEO_HOSTING_READ_ONLY must be 1 or 0.'],
  [{ VIDEO_HOSTING_CONFIRM: 'forms' }, [], 'VIDEO_HOSTING_CONFIRM must be one of ask, form, page, token, wait, never. Did you mean form?'],
  [{ VIDEO_HOSTING_CONFIRM: 'ASK' }, [], 'Did you mean ask?'],
  [{ VIDEO_HOSTING_BROWSER: 'off' }, [], 'VIDEO_HOSTING_BROWSER must be auto, none or a program. Did you mean none?'],
  [{ VIDEO_HOSTING_STATS_AUTH: 'Bearer x' }, [], 'VIDEO_HOSTING_STATS_AUTH must be one of none, bearer.'],
  [{ VIDEO_HOSTING_CALL_BUDGET_MS: '45s' }, [], 'VIDEO_HOSTING_CALL_BUDGET_MS must be a whole number of milliseconds from 1000'],
  [{ VIDEO_HOSTING_CALL_BUDGET_MS: '999' }, [], 'must be a whole number'],
  [{ VIDEO_HOSTING_CALL_BUDGET_MS: '1e4' }, [], 'must be a whole number'],
  [{ VIDEO_HOSTING_DATA_DIR: 'data' }, [], 'VIDEO_HOSTING_DATA_DIR must be an absolute path.'],
  [{ VIDEO_HOSTING_FILES_DIR: '/a:~/b' }, [], 'VIDEO_HOSTING_FILES_DIR begins with ~, which means the home folder to a shell alone'],
  [{ VIDEO_HOSTING_DATA_DIR: '~' }, [], 'VIDEO_HOSTING_DATA_DIR begins with ~'],
  [
    {},
    ['--video-catalogue=~/videos.csv'],
    '--video-catalogue begins with ~, which means the home folder to a shell alone: write the path in full.',
  ],
  [{ VIDEO_HOSTING_FILES_DIR: '/a:b' }, [], 'VIDEO_HOSTING_FILES_DIR must hold absolute paths'],
  [
    { VIDEO_HOSTING_SECOND_PERSON: 'move_video>10' },
    [],
    'There is no move_video in it. Did you mean move_videos? It can have move_videos, copy_cta',
  ],
  [
    { VIDEO_HOSTING_SECOND_PERSON: 'yes' },
    [],
    'VIDEO_HOSTING_SECOND_PERSON must be never, always, or a list such as move_videos>1000 create_channels.',
  ],
  [{ VIDEO_HOSTING_SECOND_PERSON: 'always create_channels' }, [], 'always stands alone.'],
  [{ VIDEO_HOSTING_SECOND_PERSON: 'move_videos>1k' }, [], 'After move_videos> stands a whole number of videos from 1 to'],
  [{ VIDEO_HOSTING_SECOND_PERSON: 'move_videos>=5' }, [], 'After move_videos> stands a whole number of videos'],
  [{ VIDEO_HOSTING_SECOND_PERSON: 'move_videos>0' }, [], 'or move_videos alone for any.'],
  [{ VIDEO_HOSTING_SECOND_PERSON: 'copy_cta copy_cta>5' }, [], 'copy_cta is given twice.'],
  [{ VIDEO_HOSTING_ANALYTICS_STORE: 'clickhouse://' }, [], 'VIDEO_HOSTING_ANALYTICS_STORE'],
  ...['"key"', "'key'", 'key"', '“key”'].map((key) => [{ VIDEO_HOSTING_API_KEY: key }, [], `VIDEO_HOSTING_API_KEY ${MARKS}`] as const),
  [{ VIDEO_HOSTING_BASE_URL: '"https://api.example.com"' }, [], `VIDEO_HOSTING_BASE_URL ${MARKS}`],
  [{ VIDEO_HOSTING_DATA_DIR: '"/data"' }, [], `VIDEO_HOSTING_DATA_DIR ${MARKS}`],
  [{ VIDEO_HOSTING_FILES_DIR: '/files:"/more"' }, [], `VIDEO_HOSTING_FILES_DIR ${MARKS}`],
  [{ VIDEO_HOSTING_VIDEO_CATALOGUE: '"/videos.csv"' }, [], `VIDEO_HOSTING_VIDEO_CATALOGUE ${MARKS}`],
  [{ VIDEO_HOSTING_READ_ONLY: '"1"' }, [], `VIDEO_HOSTING_READ_ONLY ${MARKS}`],
  [{ VIDEO_HOSTING_CONFIRM: "'page'" }, [], `VIDEO_HOSTING_CONFIRM ${MARKS}`],
  [
    { VIDEO_HOSTING_API_KEY: 'ke\u200by' },
    [],
    'VIDEO_HOSTING_API_KEY holds a character that can’t be seen (U+200B): write it anew, without that.',
  ],
  [
    {},
    ['--base-url', '\ufeffhttps://api.example.com'],
    '--base-url holds a character that can’t be seen (U+FEFF): write it anew, without that.',
  ],
  [{ VIDEO_HOSTING_API_KEY: 'has space' }, [], 'VIDEO_HOSTING_API_KEY must be printable ASCII without spaces.'],
  [{ VIDEO_HOSTING_API_KEY: 'ключ' }, [], 'VIDEO_HOSTING_API_KEY must be'],
  [{}, ['--read_only'], 'Unknown flag --read_only. Did you mean --read-only?'],
  [{}, ['--readonly'], 'Did you mean --read-only?'],
  [{}, ['--read-only-true'], 'Did you mean --read-only?'],
  [{}, ['--read-only=1'], '--read-only takes no value.'],
  [{}, ['--demo=yes'], '--demo takes no value.'],
  [{}, ['-d'], 'Unknown flag -d.'],
  [{}, ['read-only'], '"read-only" is no command and no flag. Did you mean --read-only?'],
  [{}, ['--', '--read-only'], 'Argument 2 is no command and no flag; it is not repeated, since it may be a credential. Did you mean'],
  [{}, ['--base-url'], '--base-url needs a value.'],
  [{}, ['--base-url', '--read-only'], '--base-url needs a value.'],
  [{}, ['--confirm', 'nver'], '--confirm must be one of ask, form, page, token, wait, never. Did you mean never?'],
  [{}, ['--api-key', 'k3y'], 'Unknown flag --api-key. It is not given on the command line: set VIDEO_HOSTING_API_KEY.'],
  [{ VIDEO_HOSTING_TOKEN: 'x' }, [], 'Did you mean VIDEO_HOSTING_ACCESS_TOKEN?'],
  [{}, ['frobnicate'], '"frobnicate" is no command and no flag. The commands are sync, forget, doctor, install,'],
  [{ VIDEO_HOSTING_API_KEY: 'Bearer k3y' }, [], 'VIDEO_HOSTING_API_KEY must be the credential alone, without the word Bearer before it.'],
  [{ VIDEO_HOSTING_API_KEY: 'Zq9'.repeat(6_000) }, [], 'VIDEO_HOSTING_API_KEY must have at most 8,000 characters; this is something else.'],
  [{}, ['srve'], '"srve" is no command and no flag. Did you mean serve?'],
  [{}, ['help'], '"help" is no command and no flag. Did you mean --help?'],
  [{}, ['serve', 'sync'], '"sync" is no command and no flag.'],
  [{}, ['store', 'inti'], '"inti" is no command and no flag. Did you mean init?'],
  [{}, ['store', 'init', 'import'], '"import" is no command and no flag. Usage: store init | store import [--client NAME]'],
  [
    {},
    ['sync', '2026-03-01'],
    'Argument 2 is no command and no flag; it is not repeated, since it may be a credential. Usage: sync --from DATE [--to DATE]',
  ],
  [{}, ['install', 'cursor'], '"cursor" is no command and no flag. Usage: install [--url URL] [--client NAME,…]'],
  [{}, ['doctor', 'jsno'], '"jsno" is no command and no flag. Did you mean --json? Usage: doctor [--client NAME] [--json]'],
];

test('the command serve is the default', () => {
  expect(parse({}, 'serve', '--demo')).toEqual(parse({}, '--demo'));
});

test.each(MISTAKES)('the mistake in %j %j is reported', (env, argv, says) => {
  const { problems } = parse(env, ...argv);
  expect(problems.join('\n')).toContain(says);
});

test('all mistakes are reported at once, and no message repeats a value that could be a credential', () => {
  const wrong = { VIDEO_HOSTING_CONFIRM: 's3cret', VIDEO_HOSTING_BASE_URL: 's3cret', VIDEO_HOSTING_READ_ONLY: 's3cret' };
  const flags = '--api-key s3cret --call-budget-ms=s3cret --token=s3cret --read-only=s3cret'.split(' ');
  const { problems } = parse({ ...wrong, VIDEO_HOSTING_API_KEY: 's3cret x' }, ...flags);
  expect(problems).toHaveLength(9);
  expect(problems.join('\n')).not.toContain('s3cret');
});

test('http is accepted only for loopback', () => {
  const isTaken = (host: string): boolean => parse({ VIDEO_HOSTING_BASE_URL: `http://${host}` }).settings.baseUrl !== undefined;
  const loopback = ['localhost', '127.0.0.1', '127.255.255.254', '[::1]'];
  const lookalikes = ['localhost.', 'localhost.evil', '127.0.0.1.evil', 'localhost.example.com', '127.0.0.1.example.com'];
  const others = ['128.0.0.1', '[::2]', '169.254.169.254', '10.0.0.1'];
  expect([...loopback, ...lookalikes, ...others].filter(isTaken)).toEqual(loopback);
});

test('arbitrary arguments and variables cause no exception and weaken no setting', () => {
  const variables = Object.values(SETTINGS).map(({ variable }) => variable);
  const word = fc.oneof(fc.string(), fc.constantFrom(...variables, '--demo', '--confirm', 'never'));
  void fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.dictionary(word, word, { maxKeys: 6 }), (argv, env) => {
      const { settings, problems } = parseConfig(argv, env);
      const asked = [...argv, ...Object.values(env)].join(' ');
      if (problems.length === 0 && settings.confirm === 'never') expect(asked).toContain('never');
      expect(settings.callBudgetMs).toBeGreaterThanOrEqual(1_000);
    }),
  );
});

test('the help of a command is its part alone', () => {
  for (const words of ['approvals --help', '--help approvals', 'approvals check -h'])
    expect(parse({}, ...words.split(' '))).toMatchObject({ command: 'help', options: { helpOn: 'approvals' }, problems: [] });
  expect(parse({}, '--help').options.helpOn).toBe(undefined);
  for (const name of COMMAND_NAMES) {
    const help = helpText(name);
    expect(help).toContain(COMMANDS[name].usage);
    expect(help).toContain(COMMANDS[name].does);
    for (const other of COMMAND_NAMES) if (other !== name) expect(help).not.toContain(COMMANDS[other].does);
    for (const { variable } of Object.values(SETTINGS)) expect(help.replace(COMMANDS[name].does, '')).not.toContain(variable);
    expect(helpText()).toContain(COMMANDS[name].does);
  }
});

test('the help names every setting, its flag and its default', () => {
  const help = helpText();
  for (const row of Object.values(SETTINGS)) {
    expect(help).toContain(row.variable);
    if ('flag' in row) expect(help).toContain(`--${row.flag} `);
    if ('choices' in row) expect(help).toContain(`One of: ${row.choices.join(', ')}.`);
    if ('default' in row) expect(help).toContain(`Default: ${row.default}.`);
  }
  expect(parse({}, '--help').command).toBe('help');
  expect(parse({}, '--version').command).toBe('version');
  expect(parse({}, 'install', '-h')).toMatchObject({ command: 'help', problems: [] });
  expect(parse({}, '-v')).toMatchObject({ command: 'version', problems: [] });
});
