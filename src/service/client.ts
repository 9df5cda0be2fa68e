import type { Http } from './http.ts';
import { channelEndpoints, templateEndpoints } from './resources/channels.ts';
import { emailEndpoints } from './resources/emails.ts';
import { planEndpoints } from './resources/plans.ts';
import { projectEndpoints } from './resources/projects.ts';
import { videoEndpoints } from './resources/videos.ts';
import { viewLogEndpoints } from './resources/view-logs.ts';

/** The service's whole documented interface. Every method that changes the account wants an `Approval` first. */
export function createServiceClient(http: Http) {
  return {
    channels: channelEndpoints(http),
    templates: templateEndpoints(http),
    projects: projectEndpoints(http),
    plans: planEndpoints(http),
    videos: videoEndpoints(http),
    emails: emailEndpoints(http),
    viewLogs: viewLogEndpoints(http),
    serviceClock: http.clock.main,
  };
}

export type ServiceClient = ReturnType<typeof createServiceClient>;
