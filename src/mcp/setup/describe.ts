import { type CredentialInfo, credentialInfo } from '../../account/identity.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';

/** Every setting by its variable: a secret only as set or not. */
export function settingsOut(settings: Settings): Record<string, unknown> {
  const shown = Object.entries(SETTINGS).map(([name, row]) => {
    const value = settings[name as keyof typeof SETTINGS];
    const set = value === undefined || (Array.isArray(value) && value.length === 0) ? 'not set' : value;
    return [row.variable, 'secret' in row && set !== 'not set' ? 'set' : set];
  });
  return Object.fromEntries(shown);
}

/** Those that differ from their default. */
export function changedSettingsOut(settings: Settings): Record<string, unknown> {
  const defaults = new Map(Object.values(SETTINGS).map((row) => [row.variable as string, 'default' in row ? row.default : 'not set']));
  const shown = Object.entries(settingsOut(settings));
  return Object.fromEntries(shown.filter(([variable, value]) => (value === false ? 'off' : String(value)) !== defaults.get(variable)));
}

/** Kind and expiry of the credentials, never themselves. */
export function credentialsOut({ apiKey, accessToken }: Settings): {
  credential?: Record<string, unknown> & CredentialOut & { readonly accessToken?: CredentialOut };
} {
  if (apiKey === undefined) return {};
  return { credential: { ...credentialOut(apiKey), ...(accessToken === undefined ? {} : { accessToken: credentialOut(accessToken) }) } };
}

export type CredentialOut = CredentialInfo & { readonly expired?: true };

function credentialOut(credential: string): CredentialOut {
  const info = credentialInfo(credential);
  return info.expires !== undefined && Date.parse(info.expires) < Date.now() ? { ...info, expired: true } : info;
}

export function hiddenOut({ readOnly, personalData }: Settings): string[] {
  return [
    ...(readOnly ? ['Tools that change the account: VIDEO_HOSTING_READ_ONLY is set.'] : []),
    ...(personalData === 'masked' ? ['Viewers’ personal data: VIDEO_HOSTING_PERSONAL_DATA is masked.'] : []),
  ];
}
