import { refusal } from '../errors.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

/** Which credential a request carries: the API key, or the access token where the service wants one (`videos` endpoints). */
export type CredentialKind = 'key' | 'token';

/** Which credential it is that a request carried: without an access token, the key stands for it. */
export type CredentialSent = CredentialKind | 'key for videos';

export type CredentialExpiries = Readonly<
  Partial<Record<CredentialKind, { readonly expires: string; readonly setting: string } | undefined>>
>;

export interface Scrubber {
  /**
   * `text` without any secret, whether plain, percent-encoded, in base64 or in hexadecimal. One of a few characters stays, and one that may be a
   * word is masked as a word alone, since words would be taken apart.
   */
  scrub(text: string): string;
  /** The same for records, in JSON. */
  scrubJson(text: string): string;
}

export interface Credentials extends Scrubber {
  bearer(kind: CredentialKind): string;
  sentAs(kind: CredentialKind): CredentialSent;
}

const MASK = '[credential]';

/** Whether a text of a record may have lost a credential, so that it is not what the service has. */
export const isMasked = (text: string): boolean => text.includes(MASK);

/** Below this a secret, or a form of it, is too short to tell from ordinary text. */
const MIN_LENGTH = 8;
/** No issued credential is of letters alone and shorter than this; a word that was set in its place may be. */
const MAX_WORD_LENGTH = 20;

/** Holds the credentials out of sight: no property of the result contains them. Throws `settings_invalid`. */
export function createCredentials(apiKey: string, accessToken: string | undefined): Credentials {
  const token = accessToken ?? apiKey;
  requireHeaderSafe(sentence`API key (VIDEO_HOSTING_API_KEY)`, apiKey);
  requireHeaderSafe(sentence`access token (VIDEO_HOSTING_ACCESS_TOKEN)`, token);
  return {
    ...createScrubber([apiKey, token]),
    bearer: (kind) => `Bearer ${kind === 'token' ? token : apiKey}`,
    sentAs: (kind) => (kind === 'token' && accessToken === undefined ? 'key for videos' : kind),
  };
}

/** Takes these secrets out of whatever passes; none of them may be empty. No property of the result contains them. */
export function createScrubber(secrets: readonly string[]): Scrubber {
  const forms = secrets.flatMap(formsOf).filter((form) => form.length >= MIN_LENGTH);
  const pattern = patternOf(forms, new Set(secrets.filter(mayBeWord)));
  const scrub = (text: string): string => text.replace(pattern, MASK);
  return { scrub, scrubJson: scrub };
}

/** Whatever stands in one of these forms, in any case, also as JSON may escape it; nothing where there are none. One of the words is none where it is a part of one. */
function patternOf(forms: readonly string[], words: ReadonlySet<string>): RegExp {
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(4, '0');
  const written = (form: string): string => form.replace(/[^A-Za-z0-9]/g, (sign) => `(?:\\\\?\\u${hexOf(sign)}|\\\\u${hexOf(sign)})`);
  const escaped = longestFirst.map((form) => (words.has(form) ? `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])` : written(form)));
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), words.size === 0 ? 'gi' : 'giu');
}

const mayBeWord = (form: string): boolean => form.length <= MAX_WORD_LENGTH && /^[a-z]+$/i.test(form);

function requireHeaderSafe(name: Sentence, value: string): void {
  if (/^[!-~]+$/.test(value)) return;
  throw refusal('settings_invalid', sentence`The ${name} is empty or has characters that a header cannot carry.`);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...base64FormsOf(bytes)];
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
