import { SETTINGS } from '../../config/settings.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ChosenClient } from './choose-clients.ts';
import type { AiClient } from './clients.ts';
import { entryFor } from './entry.ts';
import type { Launch } from './entry-command.ts';
import { type EntrySettings, manualSettings } from './entry-settings.ts';
import { snippet } from './preview.ts';

/** What a credential is needed for, where that is not everything. */
const FOR: Readonly<Record<string, string>> = {
  [SETTINGS.accessToken.variable]: 'A move of videos needs it where the service wants a JWT for that and the API key is none.',
};

const SOURCES = {
  client: (title: string) => `is not in the file; ${title} asks you for it once and keeps it in its secret store.`,
  environment: (title: string) =>
    `is not in the file; ${title} takes it from its own environment, so it has to be set where ${title} is started.`,
} as const;

/** Where each credential of an entry is kept, a line each. */
export function sourcesText({ title, secrets }: AiClient, { sources }: Pick<EntrySettings, 'sources'>): string[] {
  return Object.entries(sources).map(([variable, source], index) => {
    const inFile =
      secrets.kind === 'file'
        ? `${title} has no other place for it.`
        : `To keep it out of the file, run install with --credentials environment, and set ${variable} where you start ${title}.`;
    const words = source === 'file' ? `is kept in that file, which only you may read. ${inFile}` : SOURCES[source](title);
    const purpose = source === 'environment' && FOR[variable] !== undefined ? ` ${FOR[variable]}` : '';
    return `${index === 0 ? '\n' : ''}${variable} ${words}${purpose}`;
  });
}

/** What somebody pastes who does it by hand. It holds no credential. */
export function manualEntry({ client, file }: ChosenClient, launch: Launch, surroundings: Surroundings): string {
  const settings = manualSettings(client, surroundings);
  const entry = snippet(client, entryFor(client, launch, settings).entry, settings.inputs);
  return [`${client.title}: ${file}`, '', entry, ...sourcesText(client, settings)].join('\n');
}
