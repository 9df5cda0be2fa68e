import * as z from 'zod';
import { namesakeNote } from '../../account/templates.ts';
import { invalidArguments } from '../../errors.ts';
import { listText, quoted, token } from '../answer/table.ts';
import { defineTool } from '../define-tool.ts';
import { planTypeArgument, skippedOut, TemplateOut, templateOut } from '../shapes.ts';

export const listChannelTemplates = defineTool({
  name: 'list_channel_templates',
  title: 'List channel templates',
  description: 'All templates. With accountPlanType each says whether that account may use it (usable).',
  effect: 'read',
  input: { accountPlanType: planTypeArgument, usableOnly: z.boolean().optional().describe('Needs accountPlanType') },
  output: { templates: z.array(TemplateOut) },
  cuttable: ['templates'],
  run: async ({ accountPlanType, usableOnly }, { client, signal }) => {
    if (usableOnly && accountPlanType === undefined)
      throw invalidArguments([
        { field: 'usableOnly', problem: 'needs accountPlanType: the service does not tell an account’s plan type.' },
      ]);
    const found = await client.templates.list(signal);
    const templates = found.items.map((template) => ({
      ...templateOut(template, accountPlanType),
      sameName: namesakeNote(template, found.items),
    }));
    return { templates: usableOnly ? templates.filter(({ usable }) => usable === true) : templates, ...skippedOut(found) };
  },
  present: ({ templates, ...rest }) =>
    listText('templates', rest, templates, {
      key: ({ key }) => token(key),
      name: ({ name }) => quoted(name),
      'plan (at least)': ({ planType, planTypeName }) => `${planType ?? '?'} ${planTypeName ?? ''}`.trim(),
      status: ({ status, statusName }) => `${status ?? '?'} ${statusName ?? ''}`.trim(),
      ...(templates.some(({ usable }) => usable !== undefined) ? { usable: ({ usable }: (typeof templates)[number]) => usable } : {}),
    }),
});
