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

/** Kind and expiry of the credentials, never themselves. */
export function credentialsOut({ apiKey, accessToken }: Settings): { credential?: Record<string, unknown> & CredentialInfo } {
  if (apiKey === undefined) return {};
  return { credential: { ...credentialInfo(apiKey), ...(accessToken === undefined ? {} : { accessToken: credentialInfo(accessToken) }) } };
}

export function describeCredential(credential: Record<string, unknown> | undefined): string {
  if (credential === undefined) return 'none';
  const { kind, expires, accessToken } = credential;
  const expiry = typeof expires === 'string' ? `, expires ${expires}${Date.parse(expires) < Date.now() ? ' (expired!)' : ''}` : '';
  const token = typeof accessToken === 'object' && accessToken !== null ? `; for videos: ${describeCredential({ ...accessToken })}` : '';
  return `${String(kind)}${expiry}${token}`;
}

export function hiddenOut({ readOnly, personalData }: Settings): string[] {
  return [
    ...(readOnly ? ['Tools that change the account: VIDEO_HOSTING_READ_ONLY is set.'] : []),
    ...(personalData === 'masked' ? ['Viewers’ personal data: VIDEO_HOSTING_PERSONAL_DATA is masked.'] : []),
  ];
}
