import * as z from 'zod';
import { cleanText, withoutPersonal } from '../../text/sanitize-text.ts';
import { CONFIRMED_BY, type ConfirmedBy } from './confirmed-by.ts';
import { Time } from './records.ts';
import { STOPPED_BY, type StoppedBy } from './stopped-by.ts';

/** Who asked or decided. `id`: of a person of this server, since a name may be given to another one later; an agent has its name alone. */
const PartySchema = z.object({ id: z.string().optional(), name: z.string() }).readonly();
export type Party = z.output<typeof PartySchema>;

/** The name of an agent, for whom a server acts, where it was given one. */
export const agentParty = (agent: string | undefined): Party | undefined => (agent === undefined ? undefined : { name: agent });

/** Whether two are the same: a person by their id, whatever their name. */
export const isSameParty = (one: Party | undefined, other: Party | undefined): boolean => partyKey(one) === partyKey(other);

/** Tells parties apart. */
export const partyKey = (party: Party | undefined): string | undefined =>
  party && JSON.stringify(party.id === undefined ? { name: party.name } : { id: party.id });

/** The name of one of the people of a server for several; of an agent, and where it is not known who it is, undefined. */
export const personIn = (party: Party | undefined): string | undefined => (party?.id === undefined ? undefined : party.name);

/** Who asked for a change, with what, and when. */
export const AskedSchema = z
  .object({
    /** Absent where this server acts for nobody by name. */
    by: PartySchema.optional(),
    /** As the client calls itself, cleaned and bounded; absent where it doesn’t, and on the page. */
    client: z.string().optional(),
    /** The person asked for it on the approval page themselves. */
    onPage: z.literal(true).optional(),
    at: Time,
    /** The rule for a second person where it was asked for, as its setting says it: whichever process begins it keeps to it. Absent where there was none. */
    secondPerson: z.string().optional(),
  })
  .readonly();
export type Asked = z.output<typeof AskedSchema>;

export const ConfirmedByName = z.enum(Object.keys(CONFIRMED_BY) as ConfirmedBy[]); // its keys

/** Who agreed to a change or declined it: a person in a form, on the page, at a terminal or through the assistant’s token, in advance, or the operator’s setting for all. */
export const DecidedSchema = z
  .object({
    /** Absent where the person is known as the user alone. */
    by: PartySchema.optional().catch(undefined),
    how: ConfirmedByName,
    /** Absent in journals that were written before it was kept. */
    at: Time.optional().catch(undefined),
    /** The person’s words. */
    note: z.string().optional().catch(undefined),
  })
  .readonly();
export type Decided = z.output<typeof DecidedSchema>;

const StoppedByName = z.enum(Object.keys(STOPPED_BY) as StoppedBy[]); // its keys

/** Who had a running change stopped, in which way, and when. */
export const StoppedSchema = z
  .object({
    /** Absent where a person is known as the user alone, and where this server acts for nobody by name. */
    by: PartySchema.optional().catch(undefined),
    how: StoppedByName,
    at: Time,
  })
  .readonly();
export type Stopped = z.output<typeof StoppedSchema>;

/** Now. */
export const stoppedNow = (how: StoppedBy, by?: Party): Stopped => ({
  ...(by !== undefined && { by }),
  ...{ how, at: new Date().toISOString() },
});

/** Somebody’s yes to a change, or to carrying it on. */
export interface Agreed {
  /** Absent in journals that were written before it was kept. */
  readonly asked?: Asked | undefined;
  readonly decided: Decided;
}

const MAX_CLIENT = 60;

/** By a call, now. */
export function askedByCall(by: Party | undefined, client: string): Asked {
  const name = withoutPersonal(cleanText(client, MAX_CLIENT).trim());
  return { ...(by !== undefined && { by }), ...(name !== '' && { client: name }), at: new Date().toISOString() };
}

/** By the person who looks at the approval page, now. */
export const askedOnPage = (by?: Party): Asked => ({ ...(by !== undefined && { by }), onPage: true, at: new Date().toISOString() });
