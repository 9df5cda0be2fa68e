import type { AuditChain, Writing } from './audit-chain.ts';
import type { Journal } from './journal.ts';
import type { ChangeWriter } from './writer.ts';

/** The journal with a chain that notes when something may be added to a change, and when nothing more is. */
export function auditedJournal(journal: Journal, chain: AuditChain): Journal {
  const closing = (writer: ChangeWriter, writing: Writing): ChangeWriter => ({
    ...writer,
    end: (status, facts) => writer.end(status, facts).finally(() => writing.close()),
  });
  return {
    ...journal,
    async begin(intent, ...lists) {
      const writer = await journal.begin(intent, ...lists);
      return closing(writer, chain.begun(intent.changeId));
    },
    async resume(changeId, by) {
      // Before anything is added to what was over.
      const writing = await chain.open(changeId);
      const resumed = await journal.resume(changeId, by).catch((error: unknown) => {
        writing.close();
        throw error;
      });
      if (resumed === undefined) writing.close();
      return resumed && { ...resumed, writer: closing(resumed.writer, writing) };
    },
    async addFound(record, found) {
      const writing = await chain.open(record.intent.changeId);
      return journal.addFound(record, found).finally(() => writing.close());
    },
  };
}
