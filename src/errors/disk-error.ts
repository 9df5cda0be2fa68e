import { VideoHostingError } from '../errors.ts';
import { pathInQuotes, type Sentence, sentence, word } from '../text/sentence.ts';

/** What Node’s permission model answers. */
const DENIED = 'ERR_ACCESS_DENIED';
/** A disk that is full, or on which files may not be so long. */
const IS_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Errors of a folder that is not accessible, not a folder, read-only or full. */
const DISK_ERRORS = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  ...IS_FULL,
  'EIO',
  'ENOTDIR',
  'EISDIR',
  'EFTYPE',
  'EEXIST',
  'ENOENT',
  'ELOOP',
  'ENAMETOOLONG',
  'ESTALE',
]);

/** A system error of Node has a code and the system call that failed, and a path unless the file was open; what its permission model denies, a `resource`. */
const systemError = (thrown: unknown) =>
  (thrown instanceof Error ? thrown : {}) as NodeJS.ErrnoException & { readonly dest?: string; readonly resource?: string };

/** Why the system refused a file, and which one: `EACCES, "/data/accounts"`. */
export function diskReason(thrown: unknown): Sentence {
  const { code, resource, path: from = resource, dest } = systemError(thrown);
  // A copy that finds no room fails where it is made.
  const path = code !== undefined && IS_FULL.has(code) ? (dest ?? from) : from;
  const why = word(code ?? 'no code');
  return path === undefined ? why : sentence`${why}, ${pathInQuotes(path)}`;
}

/** What the disk refused to this server, by Node’s error. Undefined for any other error. */
export function diskError(thrown: unknown): VideoHostingError | undefined {
  const { code = '', syscall, resource } = systemError(thrown);
  const isRefused = (code === DENIED && resource !== undefined && resource !== '') || (syscall !== undefined && DISK_ERRORS.has(code));
  if (!isRefused) return undefined;
  return new VideoHostingError(
    'data_folder_failed',
    sentence`What this server keeps could not be written or read (${diskReason(thrown)}).`,
    {
      cause: thrown,
    },
  );
}
