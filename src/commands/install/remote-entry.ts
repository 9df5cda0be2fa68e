import { SETTINGS } from '../../config/settings.ts';
import { isObject } from '../../platform/is-object.ts';
import type { AiClient, RemoteForm } from './clients.ts';
import { type ClientInput, SERVER, type ServerEntry } from './document.ts';
import { INPUT, REFERENCE } from './entry-config.ts';

/** What an entry says of a server at an address. */
export interface RemoteServer {
  /** As it stands there, with its path. */
  readonly address: string;
  /** Where its token is. */
  readonly token: TokenPlace | undefined;
}

/** A token itself, a variable of the client’s environment that has it, or one of the inputs for which VS Code asks. */
export type TokenPlace =
  | { readonly kind: 'file'; readonly token: string }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'client'; readonly input: string };

const AUTHORIZATION = 'Authorization';
const HEADER_FIELDS = ['headers', 'http_headers'] as const;
/** Of an entry of the other sort: what starts a program, or leads to an address. */
const OF_PROGRAM: readonly string[] = ['type', 'command', 'args', 'env', 'env_vars', 'envFile', 'cwd'];
export const OF_ADDRESS: readonly string[] = [
  ...['type', 'url', 'httpUrl', 'serverUrl', 'bearer_token_env_var', 'env_http_headers'],
  ...HEADER_FIELDS,
];

/** An address as it may be shown: a query may hold a token. */
export const shownAddress = ({ address }: RemoteServer): string => address.replace(/[?#].*$/s, '');

export const withoutFields = (entry: ServerEntry, names: readonly string[]): ServerEntry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

/** Undefined of an entry that starts a program. */
export function remoteIn(entry: ServerEntry | undefined): RemoteServer | undefined {
  if (entry === undefined || typeof entry.command === 'string') return undefined;
  const address = [entry.url, entry.httpUrl, entry.serverUrl].find((text): text is string => typeof text === 'string');
  return address === undefined ? undefined : { address, token: tokenIn(entry) };
}

function tokenIn(entry: ServerEntry): TokenPlace | undefined {
  if (typeof entry.bearer_token_env_var === 'string') return { kind: 'environment', variable: entry.bearer_token_env_var };
  const headers = HEADER_FIELDS.flatMap((field) => Object.entries(isObject(entry[field]) ? entry[field] : {}));
  const [, header] = headers.find(([name]) => name.toLowerCase() === AUTHORIZATION.toLowerCase()) ?? [];
  const [, given] = /^Bearer +(\S+)$/i.exec(String(header)) ?? [];
  if (given === undefined) return undefined;
  const [, plain, inBraces] = REFERENCE.exec(given) ?? [];
  const variable = plain ?? inBraces;
  if (variable !== undefined) return { kind: 'environment', variable };
  return INPUT.test(given) ? { kind: 'client', input: given.slice('${input:'.length, -1) } : { kind: 'file', token: given };
}

/** The entry as it should be, with what people added to the existing one. */
export function remoteEntry(
  { secrets }: Pick<AiClient, 'secrets'>,
  form: RemoteForm,
  { address, token }: { readonly address: string; readonly token: TokenPlace },
  existing: ServerEntry = {},
): ServerEntry {
  const others = withoutFields(existing, [...OF_PROGRAM, ...OF_ADDRESS]);
  const before = existing[form.headers];
  const kept = Object.entries(isObject(before) ? before : {}).filter(([name]) => name.toLowerCase() !== AUTHORIZATION.toLowerCase());
  const isNamed = token.kind === 'environment' && form.tokenVariable !== undefined;
  const headers = { ...Object.fromEntries(kept), ...(isNamed ? {} : { [AUTHORIZATION]: `Bearer ${writtenAs(token, secrets)}` }) };
  return {
    ...(form.type === undefined ? {} : { type: form.type }),
    [form.url]: address,
    ...others,
    ...(isNamed ? { [form.tokenVariable]: token.variable } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { [form.headers]: headers }),
  };
}

function writtenAs(token: TokenPlace, secrets: AiClient['secrets']): string {
  if (token.kind === 'file') return token.token;
  if (token.kind === 'client') return `\${input:${token.input}}`;
  return secrets.kind === 'reference' ? secrets.write(token.variable) : '';
}

/** The id under which VS Code stores the token. */
export const TOKEN_INPUT = `${SERVER}-client-token`;

export const inputFor = (id: string): ClientInput => ({
  type: 'promptString',
  id,
  description: `${SETTINGS.clientToken.title} of the video hosting account (vhm_…)`,
  password: true,
});
