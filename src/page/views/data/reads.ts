import type { DataSource } from './source.ts';

/** The requests of the contract that only read, by what brings their answers. */
export function readsBy(
  read: <T>(path: string) => Promise<T>,
): Pick<DataSource, 'changes' | 'change' | 'channels' | 'channel' | 'reports' | 'report'> {
  const id = encodeURIComponent;
  return {
    changes: (page) => read(`changes?page=${page}`),
    change: (changeId) => read(`changes/${id(changeId)}`),
    channels: (search, page) => read(`channels?search=${id(search)}&page=${page}`),
    channel: (channelId) => read(`channels/${id(channelId)}`),
    reports: () => read('reports'),
    report: (reportId, page) => read(`reports/${id(reportId)}?page=${page}`),
  };
}
