import type { ChangeKind } from '../plan/traits/index.ts';
import { createChannels } from './channels/create.ts';
import { stateContents } from './channels/state-contents.ts';
import { updateChannels } from './channels/update.ts';
import { undoChange } from './earlier/undo-change.ts';
import { exportEmails, showEmails } from './emails/release-emails.ts';
import type { Kind } from './kind.ts';
import { createProject } from './projects/create-project.ts';
import { copyCta } from './videos/copy.ts';
import { moveVideos } from './videos/move.ts';

const KINDS = {
  update_channels: updateChannels,
  create_channels: createChannels,
  state_contents: stateContents,
  create_project: createProject,
  move_videos: moveVideos,
  copy_cta: copyCta,
  export_emails: exportEmails,
  show_emails: showEmails,
  undo_change: undoChange,
} as const satisfies Readonly<Record<ChangeKind, Kind>>;

export type Kinds = typeof KINDS;

/** What a kind of change does. A function, so that the planners of all kinds are loaded by the first call that needs one. */
export const kindOf = (name: ChangeKind): Kind => KINDS[name];
