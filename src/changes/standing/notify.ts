import { spawn } from 'node:child_process';
import * as z from 'zod';
import { codeOf } from '../../platform/files.ts';
import type { Receipt } from '../plan/receipt.ts';

const changeId = z.string();
const Time = z.iso.datetime();
/** For whom a server asked that was given a name: as the operator set it. */
const askedBy = z.string().optional();

/** What the program of VIDEO_HOSTING_NOTIFY is told: kinds, numbers and ids alone, and names that the operator gave. */
export const NotificationSchema = z.discriminatedUnion('kind', [
  /** A change waits for a person, until a time. */
  z.strictObject({ kind: z.literal('waits'), changeId, askedBy, expiresAt: Time }),
  /** It does so for less than a day from now. */
  z.strictObject({ kind: z.literal('expires'), changeId, askedBy, expiresAt: Time }),
  /** A change that approvals covered is covered no more, and was stopped on its way. */
  z.strictObject({ kind: z.literal('stopped'), changeId, approvals: z.array(z.string()) }),
  /** A change brought what is used of a limit to this part of it. */
  z.strictObject({
    kind: z.literal('limit'),
    changeId,
    approval: z.string(),
    rule: z.string(),
    limit: z.enum(['perDay', 'total']),
    percent: z.literal([80, 100]),
    used: z.int(),
    of: z.int(),
  }),
]);
export type Notification = z.output<typeof NotificationSchema>;
export type Notify = (notification: Notification) => void;

const MAX_RUN_MS = 10_000;

/** Runs the program for each notification, and waits for none. What goes wrong is logged once. */
export function createNotify(program: string, log: (message: string) => void, maxRunMs = MAX_RUN_MS): Notify {
  let isTold = false;
  const failed = (why: string): void => {
    if (!isTold) log(`The program of VIDEO_HOSTING_NOTIFY failed (${why}). Changes go on; this is said once.`);
    isTold = true;
  };
  return (notification) => {
    const content = JSON.stringify({ version: 1, at: new Date().toISOString(), ...notification });
    try {
      // An empty environment: the API key is in this server's.
      const child = spawn(program, [], {
        ...{ shell: false, windowsHide: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} },
        ...{ timeout: maxRunMs, killSignal: 'SIGKILL' },
      });
      child.on('error', (error) => failed(codeOf(error) ?? 'no code'));
      child.on('exit', (code, signal) => code !== 0 && failed(code === null ? `ended by ${signal}` : `exit code ${code}`));
      // It may not read.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(`${content}\n`);
      child.unref();
    } catch (error) {
      failed(codeOf(error) ?? 'no code');
    }
  };
}

const PERCENTS = [80, 100] as const;

/** The limits that a change brought to 80 or 100 % by what it uses. */
export const limitsReached = (receipt: Receipt, changeId: string): Notification[] =>
  receipt.rules.flatMap(({ approval, kind: rule, number, today, total }) =>
    Object.entries({ perDay: today, total }).flatMap(([limit, uses]) =>
      PERCENTS.flatMap((percent): Notification[] => {
        if (uses === undefined) return [];
        const least = (uses.limit * percent) / 100;
        if (uses.used - number >= least || uses.used < least) return [];
        const name = limit === 'total' ? limit : 'perDay';
        return [{ kind: 'limit', changeId, approval, rule, limit: name, percent, used: uses.used, of: uses.limit }];
      }),
    ),
  );
