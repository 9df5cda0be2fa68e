import { delimiter } from 'node:path';
import { type CredentialInfo, credentialInfo } from '../../account/identity.ts';
import { confirmationText } from '../../changes/proposals/routes/index.ts';
import { kindOf, type SettingRow } from '../../config/kinds.ts';
import { NOT_WITH_HTTP } from '../../config/parse-config.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';

/** Every setting by its variable: a secret only as set or not. `unusable`: the variables whose values can’t be used, in whose place a default stands. */
export function settingsOut(settings: Settings, unusable: readonly string[]): Record<string, unknown> {
  const shown = Object.entries(SETTINGS).map(([name, row]) => {
    const value = settings[name as keyof typeof SETTINGS];
    const set = value === undefined || (Array.isArray(value) && value.length === 0) ? 'not set' : value;
    if (unusable.includes(row.variable)) return [row.variable, 'set, but not usable'];
    return [row.variable, 'secret' in row && set !== 'not set' ? 'set' : set];
  });
  return Object.fromEntries(shown);
}

/** The same as a list, with what each is for. */
export function settingsList(settings: Settings, unusable: readonly string[]): { setting: string; value: string; meaning: string }[] {
  const values = settingsOut(settings, unusable);
  // Whoever asks from elsewhere has no use for a path of this machine, and what can’t be set there tells nothing.
  const isTold = (name: string, row: SettingRow): boolean =>
    settings.sharedAt === undefined || (kindOf(row).paths === undefined && !Object.hasOwn(NOT_WITH_HTTP, name));
  const rows = Object.entries<SettingRow>(SETTINGS).filter(([name, row]) => isTold(name, row));
  return rows.map(([, { variable, description }]) => {
    const value = values[variable];
    return { setting: word(variable), value: Array.isArray(value) ? value.join(delimiter) : String(value), meaning: description };
  });
}

/** Kind and expiry of the credentials, never themselves, at a time in milliseconds since the epoch. */
export function credentialsOut(
  { apiKey, accessToken }: Settings,
  nowMs = Date.now(),
): {
  credential?: Record<string, unknown> & CredentialOut & { readonly accessToken?: CredentialOut };
} {
  if (apiKey === undefined) return {};
  return {
    credential: { ...credentialOut(apiKey, nowMs), ...(accessToken === undefined ? {} : { accessToken: tokenOut(accessToken, nowMs) }) },
  };
}

export type CredentialOut = Omit<CredentialInfo, 'kind'> & { readonly kind: CredentialInfo['kind'] | 'no JWT'; readonly expired?: true };

/** Only a JWT makes sense there. */
function tokenOut(token: string, nowMs: number): CredentialOut {
  const out = credentialOut(token, nowMs);
  return out.kind === 'JWT' ? out : { ...out, kind: 'no JWT' };
}

function credentialOut(credential: string, nowMs: number): CredentialOut {
  const info = credentialInfo(credential);
  return info.expires !== undefined && Date.parse(info.expires) < nowMs ? { ...info, expired: true } : info;
}

export function hiddenOut({ readOnly, personalData, filesDirs, sharedAt }: Settings): Sentence[] {
  const tools = readOnly ? [sentence`Tools that change the account: VIDEO_HOSTING_READ_ONLY is set.`] : [];
  if (sharedAt !== undefined)
    return [
      ...tools,
      sentence`Viewers’ names, addresses and numbers. get_collected_emails counts them, and exports them for people, who download the file on the page.`,
    ];
  return [
    ...tools,
    ...(personalData === 'masked'
      ? [
          sentence`Viewers’ names, addresses and numbers: VIDEO_HOSTING_PERSONAL_DATA is masked. get_collected_emails counts them${filesDirs.length > 0 ? ', or writes them to a file for people' : ''}.`,
        ]
      : []),
  ];
}

/** What works only with settings that are not set: what is missing, and which setting it takes. */
export function notSetOut({ filesDirs, videoCatalogue, sharedAt }: Settings): Sentence[] {
  return [
    ...(filesDirs.length > 0 || sharedAt !== undefined
      ? []
      : [sentence`File arguments and exports are refused: VIDEO_HOSTING_FILES_DIR is not set.`]),
    ...(videoCatalogue === undefined
      ? [sentence`Titles of videos are not known, and ids and keys can’t stand for each other: VIDEO_HOSTING_VIDEO_CATALOGUE is not set.`]
      : []),
  ];
}

/** How changes are confirmed with these settings, whatever the client; `shared`: by the server for several people that works with them, too. */
export function confirmationOut({ readOnly, confirm }: Confirming, shared?: Confirming): string {
  if (readOnly) return `read-only: none are offered (${SETTINGS.readOnly.variable}).`;
  const own = `${confirmationText(confirm)} (${SETTINGS.confirm.variable} is ${confirm}).`;
  // Nobody set it there: such a server has no other way.
  return shared === undefined ? own : `by the server for several people: ${confirmationText(shared.confirm)}. By one over stdio: ${own}`;
}

type Confirming = Pick<Settings, 'readOnly' | 'confirm'>;
