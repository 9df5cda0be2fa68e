import { namesakeNote } from '../account/templates.ts';
import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { Channel, Template } from '../service/resources/channels.ts';
import { cleanText } from '../service/sanitize-text.ts';

const MAX_NAME = 120;
/** The channels are answered without names of templates then. */
const MAX_WAIT_MS = 5_000;

/** The account's templates, to name those of some channels; none where the channels have none, or the service does not list them. */
export async function templatesOf(channels: readonly Channel[], { templates }: Client, signal: AbortSignal): Promise<readonly Template[]> {
  if (channels.every(({ templateKey = '' }) => templateKey === '')) return [];
  try {
    return (await templates.list(AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]))).items;
  } catch (error) {
    if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
    return [];
  }
}

/** The name of a channel's template; where others have the same name, with what tells it apart. */
export function templateOf({ templateKey }: Channel, templates: readonly Template[]): { readonly templateName?: string } {
  const template = templates.find(({ key }) => key === templateKey);
  if (template?.name === undefined) return {};
  const name = cleanText(template.name, MAX_NAME);
  const note = namesakeNote(template, templates);
  return { templateName: note === undefined ? name : `${name} (${note})` };
}
