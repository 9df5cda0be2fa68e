import type { VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/foreign-text.ts';
import { listed } from './update-channels/edit-keys.ts';

const MAX_KEY = 80;

/** An error in a sentence, with the keys that the service named. */
export function reasonOf({ message, facts }: VideoHostingError): string {
  const keys = facts.invalidVideoKeys ?? [];
  if (keys.length === 0) return message;
  return `${message} Invalid video keys: ${listed(
    keys.map((key) => cleanText(key, MAX_KEY)),
    50,
  )}.`;
}
