import { VideoHostingError } from '../errors.ts';
import { type Approval, mintApproval } from '../service/approval.ts';
import { createServiceClient } from '../service/client.ts';
import { createHttp } from '../service/http.ts';
import type { Client, ClientOptions, UnguardedClient } from './contract.ts';

/**
 * A client that reads an account and can't change it: the methods that could are not there. Opens nothing before the
 * first request. Throws `settings_invalid`.
 */
export function createClient(options: ClientOptions): Client {
  return open(options).reads;
}

/**
 * A client that also changes the account, at once and without the server's guard; see {@link UnguardedClient}. For
 * programs that plan, ask and keep a record themselves. Throws `settings_invalid`.
 */
export function createUnguardedClient(options: ClientOptions): UnguardedClient {
  const { reads, service } = open(options);
  const { channels, projects, videos } = service;
  return {
    ...reads,
    channels: {
      ...reads.channels,
      create: (channel, signal) => unasked((approval) => channels.create(approval, channel, signal)),
      update: (id, update, signal) => unasked((approval) => channels.update(approval, id, update, signal)),
    },
    projects: {
      ...reads.projects,
      create: (project, signal) => unasked((approval) => projects.create(approval, project, signal)),
    },
    videos: {
      move: (projectId, videoIds, signal) => unasked((approval) => videos.move(approval, projectId, videoIds, signal)),
      copyCta: (source, targets, signal) => unasked((approval) => videos.copyCta(approval, source, targets, signal)),
    },
  };
}

function open({ statsUrl, statsAuth = 'none', timeouts = {}, proxy, ...options }: ClientOptions) {
  const http = createHttp({
    ...options,
    // Nothing is sent there: without an address of its own, what needs one says so first.
    statsUrl: statsUrl ?? options.baseUrl,
    statsAuth,
    timeouts,
    proxy: proxy && { variable: 'proxy.address', address: proxy.address, noProxy: proxy.noProxy ?? '' },
  });
  const service = createServiceClient(http);
  const { channels, templates, projects, plans, emails, viewLogs } = service;
  const reads: Client = {
    channels: { list: channels.list, each: channels.each, all: channels.all, get: channels.get },
    templates,
    projects: { list: projects.list, each: projects.each, all: projects.all, get: projects.get },
    plans,
    emails,
    viewLogs: {
      async page(query, signal) {
        if (statsUrl === undefined)
          throw new VideoHostingError('settings_missing', 'View logs need the address of the analytics API. Nothing was sent.', {
            hint: 'Give statsUrl when the client is created.',
          });
        return viewLogs.page(query, signal);
      },
    },
    close: http.close,
  };
  return { reads, service };
}

/** Sends one change that nobody is asked about; whoever chose this client did so beforehand. Its approval is for this one call. */
async function unasked<T>(send: (approval: Approval) => Promise<T>): Promise<T> {
  const approval = mintApproval();
  try {
    return await send(approval);
  } finally {
    approval.close();
  }
}
