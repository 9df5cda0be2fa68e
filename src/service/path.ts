import { type ApiAddress, readApiAddress } from '../config/api-address.ts';
import { refusal, VideoHostingError } from '../errors.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

declare const apiPath: unique symbol;

/** A path below a base URL, made by {@link path} alone, so that no value can change which endpoint is called. */
export type ApiPath = string & { readonly [apiPath]: true };

const MAX_SEGMENT_LENGTH = 1_024;

/**
 * Builds the path of a request: path`/v1/channels/${id}`. Every value is one encoded segment.
 * Throws `invalid_arguments` for a value that is empty, `.`, `..`, too long or not well-formed Unicode.
 */
export function path(strings: TemplateStringsArray, ...values: readonly string[]): ApiPath {
  const encoded = values.map(encodeSegment);
  // The one place where the brand is given.
  return strings.reduce((built, text, index) => built + (encoded[index - 1] ?? '') + text) as ApiPath;
}

function encodeSegment(value: string): string {
  if (value !== '' && value !== '.' && value !== '..' && value.length <= MAX_SEGMENT_LENGTH && !/\p{Cs}/u.test(value))
    return encodeURIComponent(value);
  const problem = sentence`is empty, ".", "..", longer than ${MAX_SEGMENT_LENGTH} characters or not well-formed text`;
  throw new VideoHostingError('invalid_arguments', sentence`An id ${problem}, so it cannot be part of an address.`, {
    facts: { outcome: 'nothing-sent', fields: [{ field: sentence`id`, problem }] },
  });
}

/** Undefined values are left out of the address. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function targetOf(base: ApiAddress, path: ApiPath, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${base.prefix}${path}${search.size === 0 ? '' : `?${search}`}`;
}

/** Reads a base URL. Throws `settings_invalid`, naming the setting only. */
export function parseBase(setting: Sentence, value: string): ApiAddress {
  const read = readApiAddress(value);
  if ('problem' in read) throw refusal('settings_invalid', sentence`The ${setting} ${read.problem}`);
  return read;
}
