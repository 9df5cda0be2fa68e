import type { TitleOf } from '../../account/video-references.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { listed } from '../listed.ts';
import type { Preview, Undo } from '../plan.ts';
import { type ChannelItem, type Lists, TEXTS } from './channel-change.ts';
import { movedKeys } from './moved-keys.ts';

const MAX_SHOWN = 120;
const MAX_NAMED = 20;

/** What happens with the rest of a batch when one channel fails; the same for every change to channels. */
const ON_FAILURE =
  'Each channel is read once more and sent alone. If the service refuses one, the others go on; if it refuses the credential, fails or can’t be reached, the rest is not sent.';

/** What a person is shown of a change to channels: what loses most comes first. */
export function describeItems(
  summary: string,
  items: readonly ChannelItem[],
  notes: readonly string[],
  undo: Undo,
  titleOf: TitleOf,
): Preview {
  const ordered = [...items].sort((a, b) => lossOf(b) - lossOf(a));
  return {
    summary,
    warnings: [...unknownWarnings(ordered), ...ordered.flatMap((item) => warningsOf(item, titleOf)), ...notes],
    lines: ordered.map((item) => `${item.label}: ${changesOf(item, titleOf).join('; ')}`),
    onFailure: items.length > 1 ? ON_FAILURE : '',
    undo,
  };
}

/** How many keys leave a channel; more than any number where that can't be known. */
function lossOf(item: ChannelItem): number {
  if (replacesUnknown(item)) return Number.MAX_SAFE_INTEGER;
  return leaving(item.before.videoKeys, item.after.videoKeys).length + leaving(item.before.projectKeys, item.after.projectKeys).length;
}

const replacesUnknown = ({ before }: ChannelItem): boolean => before.videoKeys === undefined && before.projectKeys === undefined;

function leaving(before: readonly string[] = [], after: readonly string[] | undefined): readonly string[] {
  if (after === undefined) return [];
  const stays = new Set(after);
  return before.filter((key) => !stays.has(key));
}

/** What is not known of channels: the worst of all, and said once for all that it holds for. */
function unknownWarnings(items: readonly ChannelItem[]): string[] {
  const replaced = items.filter(replacesUnknown);
  const mayHold = (what: string, list: keyof Lists) => {
    const found = items.filter((item) => (replacesUnknown(item) ? item.after[list] === undefined : item.unsure === list));
    return found.length === 0
      ? []
      : [`Whether ${namesOf(found)} also hold${found.length === 1 ? 's' : ''} ${what} is not known, nor whether they would stay.`];
  };
  return [
    ...(replaced.length === 0
      ? []
      : [
          `What ${namesOf(replaced)} hold${replaced.length === 1 ? 's' : ''} now is not known: what you state replaces it, and whatever is not in it is lost and can’t be brought back from here.`,
        ]),
    ...mayHold('videos', 'videoKeys'),
    ...mayHold('projects', 'projectKeys'),
  ];
}

/** The lines below tell each of them anyway. */
function namesOf(items: readonly ChannelItem[]): string {
  const names = items.slice(0, MAX_NAMED).map(({ label }) => label);
  return `${names.join(', ')}${items.length > MAX_NAMED ? ` and ${items.length - MAX_NAMED} more` : ''}`;
}

function warningsOf({ label, before, after }: ChannelItem, titleOf: TitleOf): string[] {
  const warnings: string[] = [];
  for (const [what, list] of [['video', 'videoKeys'] as const, ['project', 'projectKeys'] as const]) {
    const gone = leaving(before[list], after[list]);
    if (gone.length > 0)
      warnings.push(
        `${label} loses ${gone.length} of ${before[list]?.length} ${what}${before[list]?.length === 1 ? '' : 's'}: ${listed(gone, undefined, list === 'videoKeys' ? titleOf : undefined)}.`,
      );
  }
  if ((after.videoKeys?.length ?? 0) + (after.projectKeys?.length ?? 0) === 0)
    warnings.push(`${label} ends up empty; whether the service accepts that is not documented.`);
  if (after.privateLinkEnabled !== undefined)
    warnings.push(`${label}: private-link access can’t be read, so it can’t be undone or checked.`);
  if (after.templateKey === '')
    warnings.push(`${label} goes back to the default template; whether the service accepts that is not documented.`);
  return warnings;
}

const templateName = (key: string | undefined): string | undefined => (key === '' ? 'default' : key);

function changesOf({ before, after }: ChannelItem, titleOf: TitleOf): string[] {
  const text = (value: string) => JSON.stringify(cleanText(value, MAX_SHOWN));
  const changed = (what: string, from: string | undefined, to: string | undefined) =>
    to === undefined || to === from ? [] : [`${what} ${from === undefined ? 'not known' : text(from)} → ${text(to)}`];
  return [
    ...changed('name', before.name, after.name),
    ...changed('description', before.description, after.description),
    ...changed('template', templateName(before.templateKey), templateName(after.templateKey)),
    ...(after.privateLinkEnabled === undefined ? [] : [`private link → ${after.privateLinkEnabled ? 'on' : 'off'}`]),
    ...listChange('videos', before.videoKeys, after.videoKeys, titleOf),
    ...listChange('projects', before.projectKeys, after.projectKeys),
  ];
}

function listChange(
  what: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  titleOf?: TitleOf,
): string[] {
  if (after === undefined) return [];
  const shown = (keys: readonly string[], most?: number) => listed(keys, most, titleOf);
  if (before === undefined) return [`${what} not known → ${after.length}${after.length > 0 ? ` (${shown(after, 3)})` : ''}`];
  const gone = leaving(before, after);
  const had = new Set(before);
  const came = after.filter((key) => !had.has(key));
  const moved = movedKeys(before, after);
  const toFront = moved.every((key, at) => key === after[at]);
  if (gone.length + came.length + moved.length === 0) return [];
  return [
    [
      before.length === after.length ? `${after.length} ${what}` : `${what} ${before.length} → ${after.length}`,
      ...(gone.length > 0 ? [`leaves ${shown(gone)}`] : []),
      ...(came.length > 0 ? [`arrives ${shown(came)}`] : []),
      ...(moved.length === 0
        ? []
        : toFront
          ? [`moves to the front ${shown(moved)}`]
          : [`moves ${shown(moved)}`, `new order begins ${shown(after, 3)}`]),
    ].join(', '),
  ];
}

/** Whether a change to these channels can be undone, told before anyone agrees to it. */
export function undoOf(items: readonly ChannelItem[]): Undo {
  const reasons = items.map(whyLost);
  const restorable = reasons.filter((why) => why === undefined).length;
  const how = 'undo_change, until others change it.';
  if (restorable === items.length) return { possible: 'yes', how };
  const why = Object.entries(WHY_LOST)
    .flatMap(([reason, text]) => (reasons.some((lost) => lost === reason) ? [text] : []))
    .join(' and ');
  return restorable === 0
    ? { possible: 'no', how: `It can’t be set back: ${why}.` }
    : { possible: 'partly', how: `For ${restorable} of ${items.length} channels: ${how} The others can’t be set back: ${why}.` };
}

const WHY_LOST = {
  before: 'what was there before is not all known',
  link: 'private-link access can’t be read',
  version: 'the service shows no version, by which to tell that nobody else changed it since',
};

/** Undefined where it can be set back. */
function whyLost({ before, after, unsure, seen }: ChannelItem): keyof typeof WHY_LOST | undefined {
  if (after.privateLinkEnabled !== undefined) return 'link';
  if (!isRestorable({ before, after, unsure })) return 'before';
  return seen.version === null ? 'version' : undefined;
}

type Restorable = Pick<ChannelItem, 'before' | 'after'> & { readonly unsure: ChannelItem['unsure'] | undefined };

/** Whether everything that is changed has a known value to go back to. */
export function isRestorable({ before, after, unsure }: Restorable): boolean {
  if (unsure !== undefined) return false;
  const lost = (list: 'videoKeys' | 'projectKeys') => after[list] !== undefined && before[list] === undefined;
  const heldNothingKnown = before.videoKeys === undefined && before.projectKeys === undefined;
  const unknownText = TEXTS.some((field) => after[field] !== undefined && before[field] === undefined);
  return !(heldNothingKnown || unknownText || lost('videoKeys') || lost('projectKeys') || after.privateLinkEnabled !== undefined);
}
