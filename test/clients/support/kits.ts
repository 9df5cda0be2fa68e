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
  /** The command that starts the client at a terminal. */
  sit(place: Place): readonly string[];
  /** The line that a form begins with. */
  readonly formTop: RegExp;
  /** What its screen shows when it waits for the person's input. */
  readonly prompt: RegExp;
}

const packages = join(process.env.CLIENTS_DIR ?? '', 'node_modules');
const API_KEY = 'a-key-that-no-service-has-ever-given-out';

const rewriteJson = (file: string, added: object): void =>
  // The client's own file, which is an object.
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...added }));

const claude = join(packages, '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude');

const claudeCode: ClientKit = {
  name: 'claude-code',
  title: pinned['claude-code'].title,
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
  health: { argv: [claude, 'mcp', 'list'], shows: /video-hosting: .* ✔ Connected/ },
  once: (_, words) => [claude, '-p', words, '--allowedTools', 'mcp__video-hosting'],
  allowChanges: [],
  sit: () => [claude, '--allowedTools', 'mcp__video-hosting'],
  formTop: /MCP server .* requests your input/,
  prompt: /^❯/m,
};

const codexScript = join(packages, '@openai', 'codex', 'bin', 'codex.js');

const codexSettings = ({ cwd, modelUrl }: Place): string[] =>
  [
    `projects."${cwd}".trust_level="trusted"`,
    'model_provider=fake',
    `model_providers.fake={name="fake",base_url="${modelUrl}/v1",wire_api="responses",env_key="FAKE_KEY"}`,
  ].flatMap((setting) => ['-c', setting]);

const codex: ClientKit = {
  name: 'codex',
  title: pinned.codex.title,
  dialect: codexDialect,
  folder: '.codex',
  env: () => ({ FAKE_KEY: API_KEY }),
  settle: () => {},
  // It lists what is configured, and connects to nothing.
  health: { argv: [process.execPath, codexScript, 'mcp', 'list'], shows: /video-hosting .* enabled/ },
  once: (place, words) => [process.execPath, codexScript, 'exec', '--skip-git-repo-check', ...codexSettings(place), '-m', 'gpt-5', words],
  allowChanges: ['-c', 'mcp_servers.video-hosting.default_tools_approval_mode="approve"'],
  sit: (place) => [process.execPath, codexScript, ...codexSettings(place), '-m', 'gpt-5'],
  formTop: /^ *Field \d/,
  prompt: /^› Ask Codex/m,
};

const geminiScript = join(packages, '@google', 'gemini-cli', 'bundle', 'gemini.js');

const gemini: ClientKit = {
  name: 'gemini',
  title: pinned.gemini.title,
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
  health: { argv: [process.execPath, geminiScript, 'mcp', 'list'], shows: /✓ video-hosting: .* Connected/ },
  once: (_, words) => [process.execPath, geminiScript, '-y', '-m', 'gemini-2.5-pro', '-p', words],
  allowChanges: [],
  sit: () => [process.execPath, geminiScript, '-y', '-m', 'gemini-2.5-pro'],
  formTop: /^$/,
  prompt: /Type your message/,
};

/** Each kit with the client's name and version, as test titles show them. */
export const NAMED = [claudeCode, codex, gemini].map((kit) => [`${kit.title} ${pinned[kit.name].version}`, kit] as const);
export const WITH_FORMS = NAMED.filter(([, { name }]) => name !== 'gemini');
