import type { Http } from './http.ts';
import { createChannels, createTemplates } from './resources/channels.ts';
import { createEmails } from './resources/emails.ts';
import { createPlans } from './resources/plans.ts';
import { createProjects } from './resources/projects.ts';
import { createVideos } from './resources/videos.ts';
import { createViewLogs } from './resources/view-logs.ts';

/** The service's whole documented interface. Every method that changes the account wants an `Approval` first. */
export function createClient(http: Http) {
  return {
    channels: createChannels(http),
    templates: createTemplates(http),
    projects: createProjects(http),
    plans: createPlans(http),
    videos: createVideos(http),
    emails: createEmails(http),
    viewLogs: createViewLogs(http),
    serviceClock: http.clock.main,
  };
}

export type Client = ReturnType<typeof createClient>;
