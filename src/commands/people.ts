import { invalidArguments } from '../errors/field-problems.ts';
import { addPerson, removePerson, rotateSecrets, setRoles, type WithSecrets } from '../people/change-people.ts';
import { openPeople, type Person, peopleFileIn } from '../people/people.ts';
import { ROLE_NAMES, ROLES, type Role } from '../people/roles.ts';
import { mistyped } from '../text/nearest.ts';
import { ownCommand } from '../text/own-command.ts';
import { joined, type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { EXIT, type ExitCode, type Surroundings, wrapping } from './surroundings.ts';

interface Given {
  readonly path: string;
  /** The file of standing approvals, where one is set. */
  readonly standing: string | undefined;
  readonly name: string;
  readonly roles: readonly string[];
}

type Action = 'add' | 'list' | 'roles' | 'rotate' | 'remove';

const ACTIONS: Readonly<Record<Action, (given: Given, surroundings: Surroundings) => Promise<void> | void>> = {
  async add({ path, standing, name, roles }, { print, signal }) {
    const added = await addPerson(path, name, rolesIn(roles), signal);
    print(`Added ${added.person.name}, who has the roles ${added.person.roles.join(', ')}.\n${secretsText(added)}`);
    if (standing !== undefined)
      print(
        `What the file of standing approvals (${standing}) allows somebody called ${added.person.name} counts for this person only once it is saved again: look whom it means, then save it (touch is enough).\n`,
      );
  },
  list({ path }, { print, log }) {
    const opened = openPeople(path);
    const people = opened.all();
    log(`People are read from ${path}.`);
    if (people.length === 0)
      print(`Nobody is in it yet. The first is added with: ${ownCommand('people add NAME --roles read,propose,approve')}\n`);
    print(people.map(lineOf(people)).join(''));
    for (const { detail, remedy } of opened.problems()) print(`${detail} ${remedy}\n`);
  },
  async roles({ path, name, roles }, { print, signal }) {
    const person = await setRoles(path, name, rolesIn(roles), signal);
    print(`${person.name} has the roles ${person.roles.join(', ')} from the next request on.\n`);
  },
  async rotate({ path, standing, name }, { print, signal }) {
    const rotated = await rotateSecrets(path, name, signal);
    print(`${rotated.person.name} has new secrets. The old ones count no more, and their sign-ins are ended.\n${secretsText(rotated)}`);
    if (standing !== undefined)
      print(`Standing approvals (${standing}) count for ${rotated.person.name} as before: it is the same person.\n`);
  },
  async remove({ path, name }, { print, signal }) {
    await removePerson(path, name, signal);
    print(
      `Removed ${name}: neither secret counts any more, and their sign-ins are ended. Whoever is added under this name is another person.\n`,
    );
  },
};

/** `people`: who may use a server for several, with which roles and secrets. It takes the file alone, and no account. */
export async function people(given: Surroundings): Promise<ExitCode> {
  const { settings, options } = given.config;
  const { action, operand: name = '', roles = [] } = options;
  const path = settings.people ?? peopleFileIn(settings.dataDir);
  const print = wrapping(given);
  const approvers = () =>
    openPeople(path)
      .all()
      .filter((one) => one.roles.includes('approve'));
  const before = approvers();
  // The parser takes no other action of this command.
  await ACTIONS[action as Action]({ path, standing: settings.standingApprovals, name, roles }, { ...given, print });
  const after = approvers();
  if (before.length > 1 && after.length < 2) print(`${fewApproversText(after)}\n`);
  return EXIT.done;
}

/** Of a change that the command makes, and the server would find out at its next start. */
const fewApproversText = ([only]: readonly Person[]): Sentence =>
  sentence`${only === undefined ? 'Nobody' : sentence`Only ${word(only.name)}`} may approve now. A server with VIDEO_HOSTING_SECOND_PERSON=always does not start with fewer than two who may, and ${only === undefined ? 'nothing can be applied' : sentence`what ${word(only.name)} asks for there can be applied by nobody`}.`;

/** Throws `invalid_arguments` with every role that there is. */
function rolesIn(written: readonly string[]): Role[] {
  const known = ROLE_NAMES.filter((role) => written.includes(role));
  const wrong = written.filter((role) => !Object.hasOwn(ROLES, role));
  if (wrong.length > 0) throw rolesProblem(sentence`there is no role ${wordList(wrong)}.${didYouMean(wrong)} ${rolesText()}`);
  if (!known.includes('read')) {
    const whole = known.reduce<Sentence>((all, role) => sentence`${all},${role}`, sentence`read`);
    throw rolesProblem(
      sentence`whoever has ${wordList(known)} needs read too, without which there is no page and no answer: --roles ${whole}.`,
    );
  }
  return known;
}

const rolesProblem = (problem: Sentence) => invalidArguments([{ field: sentence`roles`, problem }]);

function didYouMean(wrong: readonly string[]): Sentence {
  const meant = wrong.flatMap((role) => mistyped(role, ROLE_NAMES) ?? []);
  return meant.length === 0 ? sentence`` : sentence` Did you mean ${wordList(meant)}?`;
}

const rolesText = (): Sentence =>
  sentence`There are: ${joined(
    ROLE_NAMES.map((role) => sentence`${role} (${ROLES[role]})`),
    ', ',
  )}.`;

/** The only time that the secrets are shown. */
const secretsText = ({ secrets }: WithSecrets): string =>
  [
    'Both secrets are shown this once: the file holds only their SHA-256.',
    '',
    `Client token, for MCP clients:    ${secrets.clientToken}`,
    `Page key, to sign in on the page: ${secrets.pageKey}`,
    '',
  ].join('\n');

function lineOf(people: readonly Person[]) {
  const width = Math.max(...people.map(({ name }) => name.length));
  const rolesWidth = ROLE_NAMES.join(', ').length;
  return ({ id, name, roles }: Person): string => `${name.padEnd(width)}  ${roles.join(', ').padEnd(rolesWidth)}  ${id}\n`;
}
