import { stat } from 'node:fs/promises';
import { VideoHostingError } from '../../errors.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { dayIn } from './days.ts';
import type { StandingFileRead } from './read-file.ts';
import type { Receipt } from './receipt.ts';
import { revocations } from './revocations.ts';
import { digestOf } from './uses.ts';

interface Look {
  readonly path: string;
  readonly revoked: string;
  readonly read: () => Promise<StandingFileRead>;
  readonly now: () => Date;
}

/** Looks at the files again only where they are not as they were. */
export function createLook({ path, revoked, read, now }: Look) {
  let known: { readonly state: string; readonly found: StandingFileRead; readonly gone: ReadonlySet<string> } | undefined;
  const stateOf = async () => {
    const infos = await Promise.all([path, revoked].map((file) => stat(file, { bigint: true }).catch(() => undefined)));
    return infos
      .map((info) => (info === undefined ? '-' : [info.ino, info.size, info.mtimeNs, info.ctimeNs, info.mode].join(' ')))
      .join('; ');
  };

  return async ({ agent, rules }: Receipt): Promise<void> => {
    const state = await stateOf();
    if (known?.state !== state) known = { state, found: await read(), gone: await revocations(revoked) };
    const { found, gone } = known;
    const stop = (why: Sentence): never => {
      const at = word(now().toISOString().slice(11, 16));
      throw new VideoHostingError('not_approved', `Stopped at ${at} UTC: ${why}`, {
        hint: 'What was done stays; undo_change can take it back where that is possible. Tell the user, who decides on the rest.',
      });
    };
    if (!found.ok) return stop(sentence`the file of standing approvals can’t be used any more. ${joined(found.problems)}`);
    for (const use of rules) {
      const approval = found.file.approvals.find(({ id, for: named }) => id === use.approval && named === agent);
      const rule = approval?.allow.find((one) => digestOf(one) === use.rule);
      if (gone.has(use.approval)) return stop(sentence`${word(use.approval)} was revoked.`);
      if (approval === undefined || rule === undefined) return stop(sentence`${word(use.approval)} allows it no more.`);
      if (dayIn(found.file.timeZone, now()) >= approval.until)
        return stop(sentence`${word(use.approval)} ended on ${word(approval.until)}.`);
      if (
        use.number > (rule.perChange ?? use.number) ||
        use.today.used > rule.perDay ||
        (use.total?.used ?? 0) > (rule.total ?? Number.POSITIVE_INFINITY)
      )
        return stop(sentence`the limits of ${word(use.approval)} are lower now than what was begun.`);
    }
  };
}
