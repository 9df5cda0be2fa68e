import { VideoHostingError } from '../errors.ts';
import { withTimeLimit } from '../platform/limited-signal.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Channel, Template } from '../service/resources/channels.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { namesakeNotes } from './templates.ts';

const MAX_NAME = 120;
/** The channels are answered without names of templates then. */
const MAX_WAIT_MS = 5_000;

/** The name of a channel's template, and what tells it apart where others have the same name. */
interface TemplateNames {
  readonly templateName?: string;
  readonly templateNote?: Sentence;
}

/** For how long names are kept, so that lists page by page take one request more, not one each. A change reads templates anew. */
const MAX_AGE_MS = 60_000;

/** Names the templates of some channels; not where the service does not list its templates in time. */
export function createTemplateNames({ templates }: ServiceClient) {
  let last: { readonly at: number; readonly found: readonly Template[] } | undefined;

  async function known(signal: AbortSignal): Promise<readonly Template[]> {
    if (last !== undefined && Date.now() - last.at < MAX_AGE_MS) return last.found;
    const found = await listed(templates, signal);
    if (found.length > 0) last = { at: Date.now(), found };
    return found;
  }

  return async (channels: readonly Channel[], signal: AbortSignal): Promise<(channel: Channel) => TemplateNames> => {
    const found = channels.every(({ templateKey = '' }) => templateKey === '') ? [] : await known(signal);
    const byKey = new Map(found.map((template) => [template.key as string, template]));
    const noteOn = namesakeNotes(found);
    return ({ templateKey = '' }) => {
      const template = byKey.get(templateKey);
      if (template?.name === undefined) return {};
      const templateNote = noteOn(template);
      return {
        templateName: cleanText(template.name, MAX_NAME),
        ...(templateNote === undefined ? {} : { templateNote: sentence`Of the templates with this name, the one ${templateNote}.` }),
      };
    };
  };
}

async function listed(templates: ServiceClient['templates'], signal: AbortSignal) {
  try {
    return (await withTimeLimit(MAX_WAIT_MS, signal, (limited) => templates.list(limited))).items;
  } catch (error) {
    if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
    return [];
  }
}
