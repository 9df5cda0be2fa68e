import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountsIn, changesIn } from '../../app/folders.ts';
import { unopenedPage } from '../../changes/asking/approval-page.ts';
import { routesFor, withoutRoute } from '../../changes/proposals/routes/index.ts';
import type { Settings } from '../../config/settings.ts';

const READ_ONLY = 'The tools that change the account are not offered (VIDEO_HOSTING_READ_ONLY); state_contents is, and is confirmed.';

/** The tool that takes a token; it is not offered where none is given out. */
export const CONFIRM_TOOL = 'confirm_change';

export type WordsSettings = Pick<Settings, 'readOnly' | 'confirm' | 'browser' | 'desktop' | 'standingApprovals' | 'agent' | 'dataDir'>;

/** How changes are confirmed on a connection, for the assistant, by the settings and by what the client declares. */
export function confirmationWords(
  { readOnly, confirm, standingApprovals, agent, dataDir, ...settings }: WordsSettings,
  client: DeclaredCapabilities | undefined,
): string {
  const routes = routesFor(confirm, { forms: { areDeclared: declaresForms(client) }, page: unopenedPage(settings) });
  const words = routes.length === 0 ? [`Refused: ${withoutRoute(confirm)}`] : routes.map(({ words: { instructions: text } }) => text);
  const inAdvance = standingApprovals === undefined || agent === undefined || readOnly ? [] : [inAdvanceWords(agent)];
  const contents = readOnly || hasChanges(dataDir) ? [] : [NOTHING_KNOWN];
  return [...(readOnly ? [READ_ONLY] : []), ...inAdvance, ...words, ...contents].join(' ');
}

/** Saves the call that would only tell that contents are needed. */
const NOTHING_KNOWN =
  'When this session began, this server had changed nothing here and was told of nothing, so the contents of no channel were known: before any update but setVideoKeys, ask the user for them, unless they gave a list, and make one call with them.';

/** Whether anything was changed or stated with this data folder, whose accounts are not told apart before the first call. */
function hasChanges(dataDir: string): boolean {
  return namesIn(accountsIn(dataDir)).some((name) => namesIn(changesIn(join(accountsIn(dataDir), name))).length > 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const inAdvanceWords = (agent: string): string =>
  `What a person allowed ${JSON.stringify(agent)} in advance is carried out unasked (check_setup lists it). For the rest:`;

/** What a client declares in the parameters of `initialize`, or of any request of the newer era. */
export function declaredIn(params: unknown): DeclaredCapabilities | undefined {
  // Everything in it may be missing; what is there has the protocol's types.
  const { capabilities, _meta } = (params ?? {}) as { capabilities?: DeclaredCapabilities; _meta?: Readonly<Record<string, unknown>> };
  return capabilities ?? (_meta?.[CAPABILITIES] as DeclaredCapabilities | undefined);
}

/** Where a request of the newer era has them, in its `_meta`. */
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** A client's capabilities, as far as they tell whether it shows forms. */
export interface DeclaredCapabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined;
}

/** A client that names no kind of elicitation means forms. */
export function declaresForms({ elicitation }: DeclaredCapabilities = {}): boolean {
  if (!elicitation) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
