import { VideoHostingError } from '../errors.ts';

/** Which credential a request carries: the API key, or the access token where the service wants one (`videos` endpoints). */
export type CredentialKind = 'key' | 'token';

export interface Credentials {
  /** The value of the `Authorization` header. */
  bearer(kind: CredentialKind): string;
  /** `text` without any credential, whether plain, percent-encoded, in base64 or in hexadecimal. */
  scrub(text: string): string;
}

const MASK = '[credential]';
/** Below this an encoded form is too short to tell from ordinary text. */
const MIN_ENCODED_LENGTH = 8;

/** Holds the credentials out of sight: no property of the result contains them. Throws `settings_invalid`. */
export function createCredentials(apiKey: string, accessToken: string | undefined): Credentials {
  const token = accessToken ?? apiKey;
  for (const [name, value] of [['API key', apiKey] as const, ['access token', token] as const]) requireHeaderSafe(name, value);
  const forms = [...new Set([...formsOf(apiKey), ...formsOf(token)])].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|'), 'gi');
  return {
    bearer: (kind) => `Bearer ${kind === 'token' ? token : apiKey}`,
    scrub: (text) => text.replace(pattern, MASK),
  };
}

function requireHeaderSafe(name: string, value: string): void {
  if (/^[!-~]+$/.test(value)) return;
  throw new VideoHostingError('settings_invalid', `The ${name} is empty or has characters that a header cannot carry.`, {
    facts: { outcome: 'nothing-sent' },
  });
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const everyByte = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const forms = [secret, encoded, everyByte, JSON.stringify(secret).slice(1, -1)];
  const bytes = Buffer.from(secret);
  return [...forms, bytes.toString('hex'), ...base64FormsOf(bytes)].filter(
    (form, index) => index === 0 || form.length >= MIN_ENCODED_LENGTH,
  );
}

/** What base64 makes of the secret at each of the three places where it may begin, without the characters it shares with its neighbours. */
function base64FormsOf(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), secret]);
    const first = shift === 0 ? 0 : shift + 1;
    const last = Math.floor((whole.length * 8) / 6);
    const standard = whole.toString('base64').slice(first, last);
    return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
