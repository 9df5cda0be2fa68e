import { readFileSync, rmSync } from 'node:fs';
import { SETTINGS } from '../../config/settings.ts';
import { SECRET_PREFIXES } from '../../people/secrets.ts';
import { counted } from '../../text/counted.ts';
import { EXIT, type ExitCode, type Surroundings } from '../surroundings.ts';
import type { ChosenClient } from './choose-clients.ts';
import { copiesOf, filesIn } from './config-file.ts';
import type { Prompt } from './prompt.ts';

const SECRETS = Object.values(SETTINGS).flatMap((row) => ('secret' in row ? [row.variable] : []));
/** A credential as a value, in JSON or TOML, and not a reference to one. */
const CREDENTIAL = new RegExp(`\\b(?:${SECRETS.join('|')})["']?\\s*[:=]\\s*["'][^"'$]|\\bBearer ${SECRET_PREFIXES.clientToken}`);

/** Names the copies of these clients’ configurations that hold a credential, and offers to remove those that this program made. */
export async function removeCopies(
  clients: readonly ChosenClient[],
  { print, machine, config }: Surroundings,
  prompt: Prompt | undefined,
): Promise<ExitCode> {
  const ours = clients.flatMap(({ file }) => copiesOf(file).filter(holdsCredential));
  const theirs = clients.flatMap(({ client }) =>
    client.ownCopies === undefined ? [] : filesIn(client.ownCopies(machine), () => true).filter(holdsCredential),
  );
  if (theirs.length > 0)
    print(`${counted(theirs.length, 'copy', 'copies')} of the clients themselves ${holds(theirs)}:\n${listed(theirs)}\n`);
  if (ours.length === 0) return EXIT.done;
  print(`${counted(ours.length, 'copy', 'copies')} that install and uninstall made ${holds(ours)}:\n${listed(ours)}\n`);
  if (prompt === undefined || config.options.yes === true) {
    print('Remove them when all is well.\n');
    return EXIT.done;
  }
  if (!(await prompt.confirm(ours.length === 1 ? 'Remove it?' : `Remove these ${ours.length}?`))) return EXIT.done;
  for (const file of ours) rmSync(file, { force: true });
  print('Removed.\n');
  return EXIT.done;
}

const holds = (files: readonly string[]): string => `${files.length === 1 ? 'holds' : 'hold'} a credential`;
const listed = (files: readonly string[]): string => files.map((file) => `  ${file}\n`).join('');

function holdsCredential(file: string): boolean {
  try {
    return CREDENTIAL.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
