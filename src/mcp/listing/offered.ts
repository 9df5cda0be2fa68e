import { givesTokens } from '../../changes/proposals/routes/index.ts';
import type { Settings } from '../../config/settings.ts';
import type { ListedTool } from '../app-contract.ts';
import { CONFIRM_TOOL } from './confirmation-words.ts';

// What `tools/list` offers with which settings. A call is answered all the same: an argument that is not offered is refused
// with the setting that it takes.

export type OfferSettings = Pick<Settings, 'readOnly' | 'confirm' | 'personalData' | 'filesDirs'>;

/** With them everything is offered. */
export const OFFERS_ALL = { readOnly: false, confirm: 'ask', personalData: 'allowed', filesDirs: ['/'] } as const satisfies OfferSettings;

interface ConditionalArgument {
  readonly tool: string;
  readonly argument: string;
  readonly isOffered: (settings: OfferSettings) => boolean;
  /** Stands in the tool's description where the argument is not offered. */
  readonly without: string;
}

export const CONDITIONAL: readonly ConditionalArgument[] = [
  {
    tool: 'get_collected_emails',
    argument: 'exportAs',
    isOffered: ({ filesDirs }) => filesDirs.length > 0,
    without: 'They can’t be exported to a file: VIDEO_HOSTING_FILES_DIR is not set.',
  },
  {
    tool: 'get_collected_emails',
    argument: 'showRecords',
    isOffered: ({ personalData }) => personalData === 'allowed',
    without: 'Records can’t be shown: VIDEO_HOSTING_PERSONAL_DATA is masked.',
  },
];

/** Those that some settings leave out, or change. */
export const CONDITIONAL_TOOLS: readonly string[] = [CONFIRM_TOOL, ...new Set(CONDITIONAL.map(({ tool }) => tool))];

/** The tools that are offered, with the arguments that are. `changes` are the names of those that change the account. */
export function offeredTools(tools: readonly ListedTool[], changes: readonly string[], settings: OfferSettings): ListedTool[] {
  const hidden = [...(settings.readOnly ? changes : []), ...(givesTokens(settings.confirm) ? [] : [CONFIRM_TOOL])];
  return tools.filter(({ name }) => !hidden.includes(name)).map((tool) => withOfferedArguments(tool, settings));
}

function withOfferedArguments(tool: ListedTool, settings: OfferSettings): ListedTool {
  const missing = CONDITIONAL.filter((one) => one.tool === tool.name && !one.isOffered(settings));
  if (missing.length === 0) return tool;
  const { properties = {} } = tool.inputSchema;
  const left = Object.entries(properties).filter(([name]) => !missing.some(({ argument }) => argument === name));
  return {
    ...tool,
    description: [tool.description, ...missing.map(({ without }) => without)].join(' '),
    inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(left) },
  };
}
