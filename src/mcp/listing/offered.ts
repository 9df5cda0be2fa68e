import { givesTokens } from '../../changes/proposals/routes/index.ts';
import type { Settings } from '../../config/settings.ts';
import type { Person } from '../../people/people.ts';
import type { Effect, ListedTool, Listing } from '../app-contract.ts';
import { CONFIRM_TOOL } from './confirmation-words.ts';
import { withoutFiles } from './file-arguments.ts';
import { mayCall, mayPropose } from './roles.ts';

// What `tools/list` offers with which settings, and to whom. A call is answered all the same: an argument that is not offered is
// refused with the setting that it takes, and a tool with the role.

export type OfferSettings = Pick<Settings, 'readOnly' | 'confirm' | 'personalData' | 'filesDirs' | 'sharedAt'>;

/** With them everything is offered. */
export const OFFERS_ALL = { readOnly: false, confirm: 'ask', personalData: 'allowed', filesDirs: ['/'] } as const satisfies OfferSettings;

interface ConditionalArgument {
  readonly tool: string;
  readonly argument: string;
  /** Those that say more of it. */
  readonly about?: readonly string[];
  readonly isOffered: (settings: OfferSettings, person: Person | undefined) => boolean;
  /** Stands in the tool's description where the argument is not offered. */
  readonly without: (settings: OfferSettings) => string;
}

export const CONDITIONAL: readonly ConditionalArgument[] = [
  {
    tool: 'get_collected_emails',
    argument: 'exportAs',
    about: ['fields'],
    isOffered: ({ filesDirs, sharedAt }, person) => (filesDirs.length > 0 || sharedAt !== undefined) && mayPropose(person),
    without: ({ sharedAt }) =>
      sharedAt === undefined ? 'They can’t be exported to a file: VIDEO_HOSTING_FILES_DIR is not set.' : 'To export them takes propose.',
  },
  {
    tool: 'get_collected_emails',
    argument: 'showRecords',
    isOffered: ({ personalData, sharedAt }) => personalData === 'allowed' && sharedAt === undefined,
    without: ({ sharedAt }) =>
      sharedAt === undefined ? 'Records can’t be shown: VIDEO_HOSTING_PERSONAL_DATA is masked.' : 'Records can’t be shown here.',
  },
];

/** Those that some settings leave out, or change. */
export const CONDITIONAL_TOOLS: readonly string[] = [CONFIRM_TOOL, ...new Set(CONDITIONAL.map(({ tool }) => tool))];

/** The tools that are offered to a person, or to whoever started this process, with the arguments that are. `effects`: what each does, by its name. */
export function offeredTools(
  tools: readonly ListedTool[],
  effects: Readonly<Record<string, Effect>>,
  settings: OfferSettings,
  person?: Person,
): ListedTool[] {
  const isOffered = ({ name }: ListedTool): boolean => {
    const effect = effects[name];
    if (person !== undefined && (effect === undefined || !mayCall(person, effect))) return false;
    return !(settings.readOnly && effect === 'change') && (name !== CONFIRM_TOOL || givesTokens(settings.confirm));
  };
  const offered = tools.filter(isOffered).map((tool) => withOfferedArguments(tool, settings, person));
  return settings.sharedAt === undefined ? offered : offered.map(withoutFiles);
}

/** The tools that are offered to somebody. */
export type Offered = (person?: Person) => readonly ListedTool[];

/** The same for each set of roles, worked out once: a request that stands alone has a server of its own. */
export function offeredBy({ tools, effects }: Pick<Listing, 'tools' | 'effects'>, settings: OfferSettings): Offered {
  const known = new Map<string, readonly ListedTool[]>();
  return (person) => {
    const key = JSON.stringify(person?.roles ?? null);
    const offered = known.get(key) ?? offeredTools(tools, effects, settings, person);
    known.set(key, offered);
    return offered;
  };
}

function withOfferedArguments(tool: ListedTool, settings: OfferSettings, person: Person | undefined): ListedTool {
  const missing = CONDITIONAL.filter((one) => one.tool === tool.name && !one.isOffered(settings, person));
  if (missing.length === 0) return tool;
  const { properties = {} } = tool.inputSchema;
  const names = new Set(missing.flatMap(({ argument, about = [] }) => [argument, ...about]));
  const left = Object.entries(properties).filter(([name]) => !names.has(name));
  return {
    ...tool,
    description: [tool.description, ...missing.map(({ without }) => without(settings))].join(' '),
    inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(left) },
  };
}
