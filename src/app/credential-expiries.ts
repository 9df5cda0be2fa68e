import { credentialInfo } from '../account/identity.ts';
import type { PlanDeps } from '../changes/plan/plan-deps.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { CredentialExpiries } from '../service/credentials.ts';

/** When the credentials expire that are sent: the JWTs among them say it. */
export function expiriesOf(
  { demo, accessToken }: Settings,
  apiKey: string,
): CredentialExpiries & { readonly token: PlanDeps['videosJwt'] } {
  const expiryOf = (credential: string, { variable }: { readonly variable: string }): PlanDeps['videosJwt'] => {
    const { expires } = credentialInfo(credential);
    return demo || expires === undefined ? undefined : { expires, setting: variable };
  };
  const key = expiryOf(apiKey, SETTINGS.apiKey);
  return { key, token: accessToken === undefined ? key : expiryOf(accessToken, SETTINGS.accessToken) };
}
