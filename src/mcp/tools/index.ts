import type { Tool } from '../define-tool.ts';
import { checkSetup } from './check-setup.ts';
import { confirmChange } from './confirm-change.ts';
import { copyCta } from './copy-cta.ts';
import { createChannels } from './create-channels.ts';
import { createProject } from './create-project.ts';
import { drawChart } from './draw-chart.ts';
import { explainChange } from './explain-change.ts';
import { getChange } from './get-change.ts';
import { getChannel } from './get-channel.ts';
import { getCollectedEmails } from './get-collected-emails.ts';
import { getProject } from './get-project.ts';
import { listChanges } from './list-changes.ts';
import { listChannelTemplates } from './list-channel-templates.ts';
import { listChannels } from './list-channels.ts';
import { listPlans } from './list-plans.ts';
import { listProjects } from './list-projects.ts';
import { moveVideos } from './move-videos.ts';
import { queryAnalytics } from './query-analytics.ts';
import { resumeChange } from './resume-change.ts';
import { runAnalyticsSql } from './run-analytics-sql.ts';
import { showToUser } from './show-to-user.ts';
import { stateContents } from './state-contents.ts';
import { stopChange } from './stop-change.ts';
import { undoChange } from './undo-change.ts';
import { updateChannels } from './update-channels.ts';

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  listChannels,
  getChannel,
  listChannelTemplates,
  listProjects,
  getProject,
  listPlans,
  getCollectedEmails,
  queryAnalytics,
  explainChange,
  drawChart,
  runAnalyticsSql,
  listChanges,
  getChange,
  checkSetup,
  showToUser,
  stateContents,
  createChannels,
  updateChannels,
  createProject,
  moveVideos,
  copyCta,
  resumeChange,
  confirmChange,
  stopChange,
  undoChange,
];
