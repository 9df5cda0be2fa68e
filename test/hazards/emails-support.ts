import type { Values } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';

export type Email = DemoService['world']['emails'][number];

/** A service that has these emails alone; what they do not tell is empty. */
export async function serviceWith(emails: readonly Partial<Email>[]): Promise<DemoService> {
  const demo = await startService();
  const nobody = { fullName: '', email: '', mobileNumber: '', videoKey: '', channelKey: '', created: '2026-10-01T00:00:00Z' };
  demo.world.emails.splice(0, Number.POSITIVE_INFINITY, ...emails.map((email) => ({ ...nobody, ...email })));
  return demo;
}

/** The emails that the service returns: those of the last year. */
export function emailsOf(demo: DemoService): Email[] {
  const yearAgo = demo.world.now - 365 * 86_400_000;
  return demo.world.emails.filter(({ created }) => !(Date.parse(created) < yearAgo));
}

export const peopleIn = (emails: readonly Email[]): number =>
  new Set(emails.map(({ email, mobileNumber, fullName }) => email.toLowerCase() || mobileNumber || fullName).filter(Boolean)).size;

/** Counts by some key, as a group's key → [records, people]. */
export function groupsBy(emails: readonly Email[], keyOf: (email: Email) => string | null): Map<string | null, readonly [number, number]> {
  const groups = new Map<string | null, Email[]>();
  for (const email of emails) groups.set(keyOf(email), [...(groups.get(keyOf(email)) ?? []), email]);
  return new Map([...groups].map(([key, group]) => [key, [group.length, peopleIn(group)] as const]));
}

/** The groups of an answer in the same form. */
export const groupsIn = (groups: readonly Values[]): Map<unknown, readonly unknown[]> =>
  new Map(groups.map(({ key, records, people }) => [key, [records, people]]));

/** All personal texts of these emails. No output of the server may contain one. */
export function tracesOf(emails: readonly Email[]): string[] {
  return emails.flatMap(({ fullName, email, mobileNumber }) => [fullName, email, mobileNumber]).filter((text) => text !== '');
}

/** Adds six people. Every field except the time is the text or contains it. */
export function addPeople({ world }: Pick<DemoService, 'world'>, text: string, created: string): void {
  for (let person = 0; person < 6; person += 1)
    world.emails.push({
      fullName: text,
      email: `p${person}@${text}.example`,
      mobileNumber: text,
      videoKey: text,
      channelKey: text,
      created,
    });
}
