import { join } from 'node:path';
import { joined, MAX_PATH, pathInQuotes, type Sentence, sentence, word } from '../text/sentence.ts';

/** The folders that a process works in. */
export interface Folders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

interface Need {
  readonly scope: string;
  readonly flag: string;
  readonly what: Sentence;
  /** Where it is needed; everywhere or not at all without. */
  readonly folders?: readonly string[];
}

const NODE_MAJOR = Number.parseInt(process.versions.node, 10);

const needsOf = ({ read, write }: Folders): readonly Need[] => [
  { scope: 'fs.read', flag: '--allow-fs-read', what: sentence`read`, folders: [...new Set([...read, ...write])] },
  { scope: 'fs.write', flag: '--allow-fs-write', what: sentence`write to`, folders: [...new Set(write)] },
  // Analytics and charts are processes of their own.
  { scope: 'child', flag: '--allow-child-process', what: sentence`start processes` },
  // These are native, and only such a Node hands its model on to them.
  ...(NODE_MAJOR >= 24 ? [{ scope: 'addon', flag: '--allow-addons', what: sentence`load native code` }] : []),
  { scope: 'net', flag: '--allow-net', what: sentence`use the network` },
];

/**
 * What Node’s permission model denies of what this program needs, in a sentence; undefined where nothing is. Looked at before
 * anything is done: what is denied later would seem not to be there.
 */
export function deniedByNode(permission: NodeJS.ProcessPermission, folders: Folders): Sentence | undefined {
  const denied = needsOf(folders).flatMap(({ scope, flag, what, folders: where }) => {
    // A Node without the flag does not restrict it.
    if (!process.allowedNodeEnvironmentFlags.has(flag)) return [];
    if (where === undefined) return permission.has(scope) ? [] : [{ what, flags: [flag] }];
    const closed = where.filter((folder) => !permission.has(scope, join(folder, 'file')));
    if (closed.length === 0) return [];
    const paths = joined(closed.map(pathInQuotes), ', ');
    return [{ what: sentence`${what} ${paths}`, flags: closed.map((folder) => `${flag}=${join(folder, '*')}`) }];
  });
  if (denied.length === 0) return undefined;
  const flags = denied.flatMap((one) => one.flags);
  return sentence`Node was started with its permission model on, which does not let this program ${joined(
    denied.map(({ what }) => what),
    ', ',
  )}. Start node without --permission (--experimental-permission), or with ${joined(
    flags.map((flag) => word(flag, MAX_PATH)),
    ' ',
  )} as well.`;
}
