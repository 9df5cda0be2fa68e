import { VideoHostingError } from '../errors.ts';
import { cleanText } from './sanitize-text.ts';

/** Which credential a request carries: the API key, or the access token where the service wants one (`videos` endpoints). */
export type CredentialKind = 'key' | 'token';

export interface Scrubber {
  /** `text` without any secret, whether plain, percent-encoded, escaped for JSON, in base64 or in hexadecimal, also behind characters that can't be seen. */
  scrub(text: string): string;
  /**
   * The same for every text and name of a field in what JSON gave, below the depth that a record may have. What nothing
   * had to be taken from comes back itself. Deeper values are dropped.
   */
  scrubValue(value: unknown): unknown;
}

export interface Credentials extends Scrubber {
  /** The value of the `Authorization` header. */
  bearer(kind: CredentialKind): string;
}

const MASK = '[credential]';
/** What `cleanText` takes out, so that what stands before and after it comes together. */
const TAKEN_OUT = /[\p{C}\p{Default_Ignorable_Code_Point}\uFFFC]|\p{M}{5}/u;
/** Below this an encoded form is too short to tell from ordinary text. */
const MIN_ENCODED_LENGTH = 8;
/** The documented records go three deep. */
const MAX_DEPTH = 32;

/** Holds the credentials out of sight: no property of the result contains them. Throws `settings_invalid`. */
export function createCredentials(apiKey: string, accessToken: string | undefined): Credentials {
  const token = accessToken ?? apiKey;
  requireHeaderSafe('API key (VIDEO_HOSTING_API_KEY)', apiKey);
  requireHeaderSafe('access token (VIDEO_HOSTING_ACCESS_TOKEN)', token);
  return {
    ...createScrubber([apiKey, token]),
    bearer: (kind) => `Bearer ${kind === 'token' ? token : apiKey}`,
  };
}

/** Takes these secrets out of whatever passes; none of them may be empty. No property of the result contains them. */
export function createScrubber(secrets: readonly string[]): Scrubber {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pattern = patternOf(forms);
  // A credential as short as a word would take words out of records.
  const long = patternOf(forms.filter((form) => form.length >= MIN_ENCODED_LENGTH));
  // Nothing fits into less: most texts of a record are known by their length to hold none.
  const shortest = Math.min(...forms.map(({ length }) => length).filter((length) => length >= MIN_ENCODED_LENGTH));

  function without(pattern: RegExp, text: string): string {
    const whole = text.replace(pattern, MASK);
    if (!TAKEN_OUT.test(whole)) return whole;
    // What can't be seen is taken out before a text is shown, and a credential must not come together then.
    const clean = cleanText(whole, Number.POSITIVE_INFINITY);
    const masked = clean.replace(pattern, MASK);
    return masked === clean ? whole : masked;
  }

  return {
    scrub: (text) => without(pattern, text),
    scrubValue: (value) => mapTexts(value, (text) => (text.length < shortest ? text : without(long, text))),
  };
}

/** Whatever stands in one of these forms, in any case; nothing where there are none. */
function patternOf(forms: readonly string[]): RegExp {
  const escaped = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'gi');
}

type Change = (text: string) => string;

/** `value` with `change` applied to every text and name in it; the same object where that changes nothing. */
function mapTexts(value: unknown, change: Change): unknown {
  return isChanged(value, change, 0) ? changed(value, change, 0) : value;
}

/** Allocates nothing: nearly always there is nothing to change, and views come by the million. */
function isChanged(value: unknown, change: Change, depth: number): boolean {
  if (typeof value === 'string') return change(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.some((entry) => isChanged(entry, change, depth + 1));
  // What JSON gave has no inherited fields.
  for (const name in value)
    if (change(name) !== name || isChanged((value as Record<string, unknown>)[name], change, depth + 1)) return true;
  return false;
}

function changed(value: unknown, change: Change, depth: number): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((entry) => changed(entry, change, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [change(name), changed(entry, change, depth + 1)]));
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
  const forms = [secret, encoded, everyByte, encodeURIComponent(encoded), JSON.stringify(secret).slice(1, -1)];
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
