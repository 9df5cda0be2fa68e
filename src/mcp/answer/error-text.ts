import { namesAll } from '../../changes/reason.ts';
import { VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../service/sanitize-text.ts';

const MAX_FIELDS = 40;
const MAX_KEYS = 50;

const OUTCOMES = {
  'nothing-sent': 'No change was sent to the service; nothing was changed.',
  'not-done': 'The service did not do it.',
  'not-known': 'Whether the service did it is not known.',
} as const;

const READ = /^GET |^POST \/v1\/logs\/data$/;

/** What is known of the account after an error; a read never changes it, whatever became of its request. */
function fateOf({ facts }: VideoHostingError, effect: Effect): string[] {
  if (effect === 'read') return ['Nothing was changed.'];
  // What failed was to read what the change needs to know: that comes before anything is sent.
  if (facts.operation !== undefined && READ.test(facts.operation)) return [OUTCOMES['nothing-sent']];
  return facts.outcome === undefined ? [] : [OUTCOMES[facts.outcome]];
}

type Effect = 'read' | 'change';

/** An error as an assistant reads it: what was wrong, field by field, what the service said, what was changed, what to do. */
export function errorText(error: VideoHostingError, effect: Effect): string {
  const { facts } = error;
  const fields = facts.fields ?? [];
  const keys = facts.invalidVideoKeys ?? [];
  // A single problem with a field is in the message itself.
  const shown = fields.length === 1 && error.message.includes(fields[0]?.problem ?? '') ? [] : fields.slice(0, MAX_FIELDS);
  return [
    error.message,
    ...shown.map(({ field, problem }) => `- ${field}: ${problem}`),
    ...(fields.length > MAX_FIELDS ? [`- and ${fields.length - MAX_FIELDS} more`] : []),
    ...(!namesAll(error.message, keys)
      ? [
          `Invalid video keys: ${keys
            .slice(0, MAX_KEYS)
            .map((key) => JSON.stringify(cleanText(key, 120)))
            .join(', ')}`,
        ]
      : []),
    ...fateOf(error, effect),
    `Next: ${error.hint}`,
  ].join('\n');
}

/** What the disk says where a folder is another's, no folder, read-only or full. */
const DISK = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'ELOOP']);

/**
 * Whatever was thrown, as the one error class. What is wrong with the disk a person can mend; anything else is a defect,
 * shown as one neutral sentence. The log has both in full.
 */
export function asVideoHostingError(thrown: unknown, log: (message: string) => void): VideoHostingError {
  if (thrown instanceof VideoHostingError) return thrown;
  log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  // Node's own errors have a code, and the system call that failed.
  const { code = '', syscall } = (thrown instanceof Error ? thrown : {}) as NodeJS.ErrnoException;
  if (syscall === undefined || !DISK.has(code)) return new VideoHostingError('internal', 'This server failed on that call.');
  return new VideoHostingError('data_folder_failed', `What this server keeps could not be written or read (${code}).`);
}
