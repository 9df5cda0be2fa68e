import type { Desktop } from '../platform/find-browser.ts';
import { CONFIRM_DESCRIPTION, CONFIRM_MODE_NAMES, type ConfirmMode } from './confirm-routes.ts';
import type { KindWithUnset, SettingRow, ValueOf } from './kinds.ts';
import type { ProxySettings } from './proxy.ts';

/**
 * All settings. The tables of the documentation, the bundle's settings and the command's help are made from these rows,
 * and a `VIDEO_HOSTING_…` variable or flag that is not here is refused.
 */
export const SETTINGS = {
  baseUrl: {
    variable: 'VIDEO_HOSTING_BASE_URL',
    flag: 'base-url',
    kind: 'url',
    title: 'API address',
    description: 'Root of the main API. https, or http on loopback.',
  },
  statsUrl: {
    variable: 'VIDEO_HOSTING_STATS_URL',
    flag: 'stats-url',
    kind: 'url',
    title: 'Analytics API address',
    description: 'Root of the analytics API. https, or http on loopback.',
  },
  apiKey: {
    variable: 'VIDEO_HOSTING_API_KEY',
    kind: 'text',
    secret: true,
    title: 'API key',
    description: 'Bearer credential. Never printed, logged, cached or sent to another origin.',
  },
  accessToken: {
    variable: 'VIDEO_HOSTING_ACCESS_TOKEN',
    kind: 'text',
    secret: true,
    title: 'Access token (JWT)',
    description: 'A JWT, if the service requires one instead of the key (moving videos). Used for the videos endpoints when set.',
  },
  statsAuth: {
    variable: 'VIDEO_HOSTING_STATS_AUTH',
    flag: 'stats-auth',
    kind: 'choice',
    choices: ['none', 'bearer'],
    default: 'none',
    title: 'Credential for analytics',
    description: 'Whether the analytics API gets the credential.',
  },
  readOnly: {
    variable: 'VIDEO_HOSTING_READ_ONLY',
    flag: 'read-only',
    kind: 'switch',
    default: 'off',
    title: 'Read only',
    description: 'No tool that changes the account is offered.',
  },
  confirm: {
    variable: 'VIDEO_HOSTING_CONFIRM',
    flag: 'confirm',
    kind: 'choice',
    choices: CONFIRM_MODE_NAMES,
    default: 'ask',
    title: 'Confirmation',
    description: CONFIRM_DESCRIPTION,
  },
  standingApprovals: {
    variable: 'VIDEO_HOSTING_STANDING_APPROVALS',
    flag: 'standing-approvals',
    kind: 'file',
    title: 'Standing approvals',
    description: 'A JSON file of what a person allowed in advance (docs/standing-approvals.md). No tool can write it.',
  },
  agent: {
    variable: 'VIDEO_HOSTING_AGENT',
    flag: 'agent',
    kind: 'text',
    title: 'Agent',
    description: 'For whom this server acts: the standing approvals for that name count.',
  },
  notify: {
    variable: 'VIDEO_HOSTING_NOTIFY',
    flag: 'notify',
    kind: 'file',
    title: 'Notifications',
    description:
      'A program that is told when a change waits for a person (`waits`, `expires`), and when the limit of a standing approval is used up or nearly so (`limit`) or a change that one covered was stopped (`stopped`): docs/standing-approvals.md.',
  },
  browser: {
    variable: 'VIDEO_HOSTING_BROWSER',
    flag: 'browser',
    kind: 'browser',
    default: 'auto',
    title: 'Browser',
    description:
      'How the approval page is opened: `auto` uses the program in BROWSER or the platform’s browser; `none` opens none; a program (a path, or a name in PATH) gets the address as its only argument.',
  },
  callBudgetMs: {
    variable: 'VIDEO_HOSTING_CALL_BUDGET_MS',
    flag: 'call-budget-ms',
    kind: 'milliseconds',
    min: 1000,
    max: 3_600_000,
    default: '45000',
    title: 'Call budget',
    description: 'How long one call may take, in milliseconds, before it returns while its job continues.',
  },
  personalData: {
    variable: 'VIDEO_HOSTING_PERSONAL_DATA',
    flag: 'personal-data',
    kind: 'choice',
    choices: ['masked', 'allowed'],
    default: 'masked',
    title: 'Personal data',
    description: 'Whether viewers’ personal data may be shown to the assistant, with a confirmation each time.',
  },
  filesDirs: {
    variable: 'VIDEO_HOSTING_FILES_DIR',
    flag: 'files-dir',
    kind: 'directories',
    title: 'Files folder',
    description:
      'The folder(s), separated as in PATH, that file arguments may read from and exports are written to. Unset: file arguments are refused.',
  },
  videoCatalogue: {
    variable: 'VIDEO_HOSTING_VIDEO_CATALOGUE',
    flag: 'video-catalogue',
    kind: 'file',
    title: 'Video catalogue',
    description: 'A CSV or JSON file of video id, key and title, exported from the dashboard.',
  },
  dataDir: {
    variable: 'VIDEO_HOSTING_DATA_DIR',
    flag: 'data-dir',
    kind: 'directory',
    title: 'Data folder',
    description:
      'The folder of the journal and the view cache, kept for each account, whichever key it has. Default: the platform’s data folder.',
  },
  analyticsStore: {
    variable: 'VIDEO_HOSTING_ANALYTICS_STORE',
    flag: 'analytics-store',
    kind: 'store',
    title: 'Analytics store',
    description:
      'A ClickHouse server or cluster to store views on: `clickhouse://user@host:8123/database?cluster=name`, or `clickhouses://` for https. Default: the data folder.',
  },
  analyticsStorePassword: {
    variable: 'VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD',
    kind: 'text',
    secret: true,
    isFree: true,
    title: 'Password of the analytics store',
    description: 'Password of the user in the address of the analytics store.',
  },
  analyticsSqlUser: {
    variable: 'VIDEO_HOSTING_ANALYTICS_SQL_USER',
    flag: 'analytics-sql-user',
    kind: 'text',
    title: 'SQL user of the analytics store',
    description: 'The store’s read-only user for `run_analytics_sql`. Unset: `run_analytics_sql` is refused on a store.',
  },
  analyticsSqlPassword: {
    variable: 'VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD',
    kind: 'text',
    secret: true,
    isFree: true,
    title: 'Password of the SQL user',
    description: 'Password of that read-only user.',
  },
  people: {
    variable: 'VIDEO_HOSTING_PEOPLE',
    flag: 'people',
    kind: 'file',
    isOfHttp: true,
    title: 'People',
    description: 'Of `serve --http`: the file of people who may use it. Default: `people.json` in the data folder.',
  },
  httpListen: {
    variable: 'VIDEO_HOSTING_HTTP_LISTEN',
    flag: 'http-listen',
    kind: 'listen',
    isOfHttp: true,
    default: '127.0.0.1:8765',
    title: 'Listening address',
    description: 'Of `serve --http`: the address and port that it listens on.',
  },
  publicUrl: {
    variable: 'VIDEO_HOSTING_PUBLIC_URL',
    flag: 'public-url',
    kind: 'root',
    isOfHttp: true,
    title: 'Public URL',
    description:
      'Of `serve --http`: the root of all its links, and the only `Host` and `Origin` that it answers; https, or http on loopback. A proxy before it ends TLS. Default: the listening address.',
  },
  clientToken: {
    variable: 'VIDEO_HOSTING_CLIENT_TOKEN',
    kind: 'text',
    secret: true,
    isOfHttp: true,
    title: 'Client token',
    description:
      'Of `install --url`, `doctor --url` and clients that refer to it: a person’s token (`vhm_…`) for a server for several people.',
  },
  secondPerson: {
    variable: 'VIDEO_HOSTING_SECOND_PERSON',
    flag: 'second-person',
    kind: 'second-person',
    isOfHttp: true,
    default: 'never',
    title: 'Second person',
    description:
      'Of `serve --http`: which changes can be applied by nobody who asked for them: `never`, `always`, or a list of kinds, each with a size above which it needs somebody else, such as `move_videos>1000 update_channels>20 create_channels export_emails`. An undo and what is carried on count as what they do; a standing approval is a second person’s word.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

type Rows = typeof SETTINGS;

/** A setting has a value in any case if it has a default, or its kind has. */
type AlwaysSet = {
  [Name in SettingName]: Rows[Name] extends { readonly default: string } | { readonly kind: KindWithUnset } ? Name : never;
}[SettingName];

/** The settings of the table. */
export type TableSettings = { readonly [Name in AlwaysSet]: ValueOf<Rows[Name]> } & {
  readonly [Name in Exclude<SettingName, AlwaysSet>]?: ValueOf<Rows[Name]>;
};

export interface Settings extends Omit<TableSettings, 'confirm'> {
  readonly dataDir: string;
  /** The setting’s, but on a server for several people. */
  readonly confirm: ConfirmMode;
  /** From variables that belong to no program alone. */
  readonly desktop: Desktop;
  /** From `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, which belong to no program alone. */
  readonly proxy?: ProxySettings;
  /** From `CLAUDE_CODE_ENTRYPOINT`: how Claude Code was started. It names itself alike at a terminal and without, where it draws no forms. */
  readonly clientMode?: string;
  /** This process serves several people over HTTP: the root of its links, `https://videos.example.com`. */
  readonly sharedAt?: string;
  readonly demo: boolean;
}

/** Those of a server for several people that is reached at `sharedAt`, whatever those of one person would be. */
export const sharedSettings = (settings: Settings, sharedAt: string): Settings => ({
  ...settings,
  ...{ sharedAt, confirm: 'link', personalData: 'masked', filesDirs: [], browser: 'none' },
});

/** The settings without which the service can't be called, that are not set: their variables. */
export function missingSettings(settings: Settings): string[] {
  if (settings.demo) return [];
  return (['baseUrl', 'apiKey'] as const).filter((name) => settings[name] === undefined).map((name) => SETTINGS[name].variable);
}

export const settingRows = Object.entries(SETTINGS) as [SettingName, SettingRow][]; // Object.entries widens
