import * as z from 'zod';
import { namesakeNotes, planName } from '../../account/templates.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { VideoHostingError } from '../../errors.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import type { ServiceClient } from '../../service/client.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';
import { listNotes, planTypeArgument, skippedOut, TemplateOut, templateOut } from '../schemas/shapes.ts';

export const listChannelTemplates = defineTool({
  name: 'list_channel_templates',
  title: 'List channel templates',
  description:
    'All templates (designs of channels), by key and name. With accountPlanType each says whether that account may use it (usable).',
  effect: 'read',
  input: { accountPlanType: planTypeArgument, usableOnly: z.boolean().optional().describe('Needs accountPlanType') },
  output: { templates: z.array(TemplateOut), accountPlan: sentenceOut().optional(), use: unlisted(sentenceOut()), ...listNotes },
  cuttable: ['templates'],
  run: async ({ accountPlanType, usableOnly }, { client, signal }) => {
    if (usableOnly && accountPlanType === undefined)
      throw invalidArguments([
        { field: sentence`usableOnly`, problem: sentence`needs accountPlanType: the service does not tell an account’s plan type.` },
      ]);
    const [found, channels] = await Promise.all([client.templates.list(signal), firstChannels(client, signal)]);
    const noteOn = namesakeNotes(found.items);
    const templates = found.items.map((template) => ({
      ...templateOut(template, accountPlanType),
      sameName: noteOn(template),
      usedBy: channels?.items.filter(({ templateKey }) => templateKey === template.key).length || undefined,
    }));
    const accountPlan = accountPlanType === undefined ? accountPlanText(channels) : undefined;
    return {
      accountPlan,
      use: useText(channels),
      templates: usableOnly ? templates.filter(({ usable }) => usable === true) : templates,
      ...skippedOut(found),
    };
  },
});

type FirstChannels = Awaited<ReturnType<ServiceClient['channels']['list']>> | undefined;

/** The first channels; undefined where the service does not tell them in time, since the templates alone are an answer. */
const firstChannels = ({ channels }: ServiceClient, signal: AbortSignal): Promise<FirstChannels> =>
  withTimeLimit(MAX_WAIT_MS, signal, (limited) => channels.list({ size: MAX_CHANNELS }, limited)).catch((error: unknown) => {
    if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
    return undefined;
  });

/** What the first channels show of the account's plan type, which no documented response has. */
function accountPlanText(channels: FirstChannels): Sentence {
  const types = [...new Set(channels?.items.flatMap(({ planType }) => planType ?? []))].sort((a, b) => a - b).map(planName);
  const unknown = sentence`The service does not tell the account’s plan type`;
  if (types.length === 0) return sentence`${unknown}: pass accountPlanType to learn which templates are usable.`;
  return sentence`${unknown}; ${types.length === 1 ? 'all its' : 'its'} channels have ${joined(types, ', ')}.`;
}

/** Of which channels \`usedBy\` tells the number. */
const useText = (channels: FirstChannels): Sentence | undefined =>
  channels === undefined || channels.items.length === 0
    ? undefined
    : sentence`usedBy: how many of ${channels.items.length < MAX_CHANNELS ? 'this account’s channels' : sentence`the first ${MAX_CHANNELS} channels`} use it; without it, none does.`;

const MAX_CHANNELS = 100;
const MAX_WAIT_MS = 5_000;
