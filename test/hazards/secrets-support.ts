/** Secrets of a test's account, the encodings in which an output may repeat them, and how to find them there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_KEY } from '../harness/service.ts';

export const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtYW5hZ2VyLTQ3MTEiLCJleHAiOjE5MDAwMDAwMDB9.c2lnbmF0dXJlLW9mLTQ3MTE';
export const SECRETS = [API_KEY, TOKEN];

/** The forms in which a service may repeat a secret. */
export const WAYS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'in a sentence': (secret) => `The key ${secret}, of yours.`,
  'as a header': (secret) => `Bearer ${secret}`,
  'in upper case': (secret) => secret.toUpperCase(),
  'in lower case': (secret) => secret.toLowerCase(),
  'percent-encoded': encodeURIComponent,
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64url, after a user name': (secret) => Buffer.from(`user:${secret}`).toString('base64url'),
  'in base64, as a header': (secret) => Buffer.from(`Bearer ${secret}`).toString('base64'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in upper-case hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'across the point where a text is cut': (secret) => `${'x'.repeat(112)}${secret}`,
};

/** The forms of a secret, or of its larger part, that a text contains. */
export function tracesIn(text: string): string[] {
  // The text as it is, and with its JSON escapes decoded.
  const views = [
    text,
    text
      .replaceAll('\\n', '\n')
      .replaceAll('\\/', '/')
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  const folded = [...views, ...views.map((view) => view.replace(TERMINAL, '')), ...views.map(percentDecoded)].map((view) =>
    view.toLowerCase(),
  );
  const squeezed = folded.map((view) => view.replace(/[^\p{L}\p{N}]+/gu, ''));
  return SECRETS.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    const half = secret.slice(0, Math.ceil(secret.length * 0.6)).toLowerCase();
    const base64 = [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift + 1, -4),
    );
    const forms = [
      secret,
      half,
      encodeURIComponent(secret),
      bytes.toString('hex'),
      ...base64,
      ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ];
    const plain = forms.filter((form) => folded.some((view) => view.includes(form.toLowerCase())));
    const split = half.replace(/[^\p{L}\p{N}]+/gu, '');
    return squeezed.some((view) => view.includes(split)) ? [...plain, split] : plain;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const TERMINAL = /\u001b\[\d*m/g;
const percentDecoded = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The names and contents of all files below a folder, as one text. */
export const everyFile = (folder: string, isMeant: (path: string) => boolean = () => true): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isMeant(join(entry.parentPath, entry.name)))
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .join('\n');

export const withToken = { env: { VIDEO_HOSTING_ACCESS_TOKEN: TOKEN, VIDEO_HOSTING_CONFIRM: 'never', VIDEO_HOSTING_STATS_AUTH: 'bearer' } };
