import type { VideoHostingError } from '../errors.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { listed } from './listed.ts';

const MAX_KEY = 80;

/** Whether a message names all of these keys. */
export const namesAll = (message: string, keys: readonly string[]): boolean => keys.every((key) => message.includes(JSON.stringify(key)));

/** What went wrong, in words that people read, with the keys that the service named. */
export function reasonOf({ message: whole, facts }: VideoHostingError): string {
  const message = facts.words ?? whole;
  const keys = facts.invalidVideoKeys ?? [];
  if (namesAll(message, keys)) return message;
  return `${message} Invalid video keys: ${listed(
    keys.map((key) => cleanText(key, MAX_KEY)),
    50,
  )}.`;
}
