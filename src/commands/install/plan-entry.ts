import { definedFields } from '../../platform/defined-fields.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Answers } from './ask-setting.ts';
import type { ConfigChange, OpenedClient } from './change-config.ts';
import { SERVER, type ServerEntry } from './document.ts';
import { entryFor } from './entry.ts';
import type { Launch } from './entry-command.ts';
import { type EntryConfig, entryConfig } from './entry-config.ts';
import { entrySettings } from './entry-settings.ts';
import { sourcesText } from './manual-entry.ts';
import { difference, masked, snippet } from './preview.ts';

/** A client with what was answered for its entry. */
export interface Answered extends OpenedClient {
  readonly answers: Answers;
  /** Whether the client, which keeps the credentials itself, is to ask for them again. */
  readonly asksAnew?: boolean;
}

/** A client with the entry that it is to have. */
export interface PlannedClient extends OpenedClient {
  readonly wanted: ServerEntry;
  /** Undefined where it has that entry already. */
  readonly change: ConfigChange | undefined;
  /** The settings of the entry that is there, as far as it holds them itself. */
  readonly before: EntryConfig | undefined;
  readonly found: EntryConfig;
  readonly answers: Answers;
}

/** Throws `client_config` where the client can’t be given what is wanted. */
export function planEntry(one: Answered, launch: Launch, surroundings: Surroundings): PlannedClient {
  const { client, config, document, answers } = one;
  const { entry } = document;
  const settings = entrySettings(one, answers, surroundings);
  const { entry: wanted, told } = entryFor(client, launch, settings, entry);
  const text = document.with(wanted, settings.inputs);
  const old = entry === undefined ? '' : snippet(client, masked(entry));
  const after = snippet(client, masked(wanted, entry), settings.inputs);
  const change = {
    text,
    secret: settings.secret,
    preview: [difference(old, after), ...(told === undefined ? [] : ['', `! ${told}`]), ...sourcesText(client, settings)].join('\n'),
    question: `${entry === undefined ? 'Add' : 'Change'} "${SERVER}" in the configuration of ${client.title}?`,
  };
  const { machine } = surroundings;
  const before = entry && entryConfig(client, entry, { given: {}, machine });
  const found = entryConfig(client, wanted, {
    given: { ...surroundings.config.given, ...definedFields(answers) },
    machine,
  });
  return { ...one, wanted, change: text === config.text ? undefined : change, before, found };
}
