import type { Person } from '../../people/people.ts';
import type { Role } from '../../people/roles.ts';
import type { Effect } from '../app-contract.ts';

/** Which role of a person allows a tool, by what it does: any of these. */
export const ROLES_FOR: Readonly<Record<Effect, readonly Role[]>> = {
  read: ['read'],
  setup: ['read'],
  // To give data out takes more.
  export: ['read'],
  statement: ['propose'],
  change: ['propose'],
  control: ['propose', 'approve'],
  // What an assistant sends approves nothing where there are several people.
  confirm: [],
};

/** Whether a person may call a tool at all; where there is none, the one whose process it is may. */
export const mayCall = (person: Pick<Person, 'roles'> | undefined, effect: Effect): boolean =>
  person === undefined || ROLES_FOR[effect].some((role) => person.roles.includes(role));

/** Whether a person may ask for changes, and for data to be given out. */
export const mayPropose = (person: Pick<Person, 'roles'> | undefined): boolean => mayCall(person, 'change');
