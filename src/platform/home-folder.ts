import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** The home folder of this user: by the environment, or else as the system knows it. Empty where there is none, as in some containers. */
export function homeFolder(): string {
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const folder = read();
      if (isAbsolute(folder)) return folder;
    } catch {
      // The system has no entry for this user.
    }
  }
  return '';
}
