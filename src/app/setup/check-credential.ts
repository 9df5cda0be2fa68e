import { credentialInfo } from '../../account/identity.ts';
import { lastTried } from '../../changes/kinds/videos/untried-credential.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { ownCommand, setAnew, toReaders, withInstall } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type CredentialOut, credentialsOut } from './describe.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

export function checkCredential(settings: Settings, mainApi: Finding, nowMs: number): Finding | undefined {
  const { credential } = credentialsOut(settings, nowMs);
  if (credential === undefined) return undefined;
  const about = 'Credential';
  const { accessToken } = credential;
  const isRefused = mainApi.code === 'unauthorized';
  // The key is what the main API is tried with; the token of moves is not.
  const key =
    isRefused && !credential.expired ? sentence`${credentialText(credential)}, which the main API refused` : credentialText(credential);
  const words = accessToken === undefined ? key : sentence`${key}; for videos: ${credentialText(accessToken)}`;
  const remedy = (name: 'apiKey' | 'accessToken') =>
    withInstall(sentence`Have a new one issued, ${setAnew(SETTINGS[name].variable)}.`, name === 'apiKey' ? 'key' : 'access token');
  if (credential.expired || accessToken?.expired)
    return wrong(about, sentence`${words}.`, remedy(credential.expired || isRefused ? 'apiKey' : 'accessToken'));
  if (isRefused) return wrong(about, sentence`${words}.`, remedy('apiKey'));
  if (accessToken?.kind === 'no JWT')
    return note(
      about,
      sentence`${words}.`,
      sentence`${SETTINGS.accessToken.variable} is no JWT: set it to a whole one, or unset it if the API key may do all.`,
    );
  return fine(about, sentence`${words}.`);
}

const credentialText = ({ kind, expires, expired }: CredentialOut): Sentence =>
  sentence`${kind}${expires === undefined ? '' : sentence`, expires ${word(expires)}`}${expired ? ' (expired!)' : ''}`;

/** An empty move can’t be tried, so what it takes is known from those that were asked for. */
export async function movingFinding(
  { demo, readOnly, apiKey = '', accessToken }: Settings,
  workspace: Workspace | undefined,
): Promise<Finding | undefined> {
  if (demo || readOnly || accessToken !== undefined || credentialInfo(apiKey).kind === 'JWT') return undefined;
  const about = 'Moving videos';
  const { variable } = SETTINGS.accessToken;
  const last = workspace && (await lastTried(workspace.journal, workspace.videosCredential));
  if (last?.worked) return fine(about, sentence`worked on ${word(last.on)}.`);
  if (last !== undefined)
    return note(
      about,
      sentence`refused on ${word(last.on)}: the service may want a JWT for it, and the API key is none.`,
      sentence`Set ${word(variable)} to one${byInstall()}.`,
    );
  const remedy = sentence`Where a move is refused, set ${variable} to one${byInstall()}.`;
  return note(about, sentence`not tried; some accounts need a JWT for it, and the API key is none.`, remedy);
}

const byInstall = (): Sentence => toReaders(() => sentence`: \`${ownCommand('install')}\`, run again, asks for it`, '');
