/** How each client is set up, started and asked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pinned from '../clients.json' with { type: 'json' };
import { claudeDialect } from './models/claude.ts';
import { codexDialect } from './models/codex.ts';
import { geminiDialect } from './models/gemini.ts';
import type { Dialect } from './script.ts';

/** The folders and the model of a client during a test. */
export interface Place {
  readonly home: string;
  /** The folder that the person works in. */
  readonly cwd: string;
  readonly modelUrl: string;
}

export interface ClientKit {
  /** As `install --client` takes it. */
  readonly name: keyof typeof pinned;
  readonly title: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** Folders below its home that it makes when it is first used. */
  readonly folder: string;
  env(place: Place): Readonly<Record<string, string>>;
  /** Stores the answers to a client's first questions (payment, trusted folder). Runs after `install` has written its entry. */
  settle(place: Place): void;
  /** The command that lists the servers, and what it prints for ours. */
  readonly health: { readonly argv: readonly string[]; readonly shows: RegExp };
  /** Asks once and prints the answer. Our tools are allowed, in Codex only those that read. */
  once(place: Place, words: string): readonly string[];
  /** Arguments with which the client runs tools that change something without asking anybody. */
  readonly allowChanges: readonly string[];
  /** Arguments with which the client speaks the newest revision of the protocol, which has links; undefined where it doesn't. */
  readonly newestRevision: readonly string[] | undefined;
  /** The command that starts the client at a terminal. */
  sit(place: Place): readonly string[];
  /** The line that a form, or a question whether to open a link, begins with. */
  readonly formTop: RegExp;
  /** What its screen shows when it waits for the person's input. */
  readonly prompt: RegExp;
}

/** A client at one of its versions, whose package is in this folder. */
type KitOf = (version: string, packages: string) => ClientKit;

const API_KEY = 'a-key-that-no-service-has-ever-given-out';

const rewriteJson = (file: string, added: object): void =>
  // The client's own file, which is an object.
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...added }));

const claudeIn = (packages: string) => join(packages, '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude');

const claudeCode: KitOf = (version, packages) => ({
  name: 'claude-code',
  title: pinned['claude-code'].title,
  version,
  dialect: claudeDialect,
  folder: '.claude',
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    // All tools are in the request.
    ENABLE_TOOL_SEARCH: 'false',
    // It waits for our tools; by default it would start without them after five seconds.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '60000',
  }),
  settle: ({ home, cwd }) =>
    rewriteJson(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true, allowedTools: [] } },
    }),
  health: { argv: [claudeIn(packages), 'mcp', 'list'], shows: /video-hosting: .* ✔ Connected/ },
  once: (_, words) => [claudeIn(packages), '-p', words, '--allowedTools', 'mcp__video-hosting'],
  allowChanges: [],
  newestRevision: version === '2.1.197' ? undefined : [],
  sit: () => [claudeIn(packages), '--allowedTools', 'mcp__video-hosting'],
  formTop: /MCP server .* (?:requests your input|wants to open a URL)/,
  prompt: /^❯/m,
});

const codexIn = (packages: string) => join(packages, '@openai', 'codex', 'bin', 'codex.js');

const codexSettings = ({ cwd, modelUrl }: Place): string[] =>
  [
    `projects."${cwd}".trust_level="trusted"`,
    'model_provider=fake',
    `model_providers.fake={name="fake",base_url="${modelUrl}/v1",wire_api="responses",env_key="FAKE_KEY"}`,
  ].flatMap((setting) => ['-c', setting]);

const codex: KitOf = (version, packages) => ({
  name: 'codex',
  title: pinned.codex.title,
  version,
  dialect: codexDialect,
  folder: '.codex',
  env: () => ({ FAKE_KEY: API_KEY }),
  settle: () => {},
  // It lists what is configured, and connects to nothing.
  health: { argv: [process.execPath, codexIn(packages), 'mcp', 'list'], shows: /video-hosting .* enabled/ },
  once: (place, words) => [
    process.execPath,
    codexIn(packages),
    'exec',
    '--skip-git-repo-check',
    ...codexSettings(place),
    '-m',
    'gpt-5',
    words,
  ],
  allowChanges: ['-c', 'mcp_servers.video-hosting.default_tools_approval_mode="approve"'],
  newestRevision: ['-c', 'features.mcp_2026_07_28=true'],
  sit: (place) => [process.execPath, codexIn(packages), ...codexSettings(place), '-m', 'gpt-5'],
  formTop: /^ *Field \d/,
  prompt: /^› Ask Codex/m,
});

const geminiIn = (packages: string) => join(packages, '@google', 'gemini-cli', 'bundle', 'gemini.js');

const gemini: KitOf = (version, packages) => ({
  name: 'gemini',
  title: pinned.gemini.title,
  version,
  dialect: geminiDialect,
  folder: '.gemini',
  env: ({ modelUrl }) => ({ GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: API_KEY }),
  settle({ home, cwd }) {
    const folder = join(home, '.gemini');
    const general = { disableAutoUpdate: true, enableAutoUpdate: false };
    rewriteJson(join(folder, 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general,
      privacy: { usageStatisticsEnabled: false },
    });
    writeFileSync(join(folder, 'trustedFolders.json'), JSON.stringify({ [cwd]: 'TRUST_FOLDER' }));
  },
  health: { argv: [process.execPath, geminiIn(packages), 'mcp', 'list'], shows: /✓ video-hosting: .* Connected/ },
  once: (_, words) => [process.execPath, geminiIn(packages), '-y', '-m', 'gemini-2.5-pro', '-p', words],
  allowChanges: [],
  newestRevision: undefined,
  sit: () => [process.execPath, geminiIn(packages), '-y', '-m', 'gemini-2.5-pro'],
  formTop: /^$/,
  prompt: /Type your message/,
});

const KITS: Readonly<Record<ClientKit['name'], KitOf>> = { 'claude-code': claudeCode, codex, gemini };
// As the table has them.
const NAMES = Object.keys(KITS) as ClientKit['name'][];

/** Each kit at each version of the table, with the client's name and version, as test titles show them. */
export const NAMED = NAMES.flatMap((name) =>
  pinned[name].versions.map((version) => {
    const kit = KITS[name](version, join(process.env.CLIENTS_DIR ?? '', pinned[name].package, version, 'node_modules'));
    return [`${kit.title} ${version}`, kit] as const;
  }),
);
export const WITH_LINKS = NAMED.filter(([, { newestRevision }]) => newestRevision !== undefined);
export const WITH_FORMS = NAMED.filter(([, { name }]) => name !== 'gemini');
