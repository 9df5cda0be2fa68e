import * as z from 'zod';
import { OF_OTHER } from '../../account/catalogue.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { count, listed, notice, ours, text } from '../plan/notice.ts';
import { DOWNLOAD_HOURS } from '../plan/traits/emails.ts';

const label = ours.optional();
/** Names in one sentence. */
const MAX_NAMED = 5;
const of = (name: Sentence | undefined): Sentence => (name === undefined ? sentence`` : sentence`${name}: `);

/** `7 cells have an apostrophe …`; undefined where none has. */
export const apostrophesText = (count: number): Sentence | undefined =>
  count === 0
    ? undefined
    : sentence`${counted(count, 'cell')} of the CSV ${count === 1 ? 'has' : 'have'} an apostrophe before what a spreadsheet would take for a formula (numbers and addresses that begin with +, - or =). A JSON file has each value as it is.`;

/** What a person must know of new channels and projects, and of what is given out. */
export const OTHER_NOTICES = {
  name_taken: notice(
    'caution',
    { what: z.enum(['channel', 'project']), name: ours, by: ours },
    ({ what, name, by }) => sentence`There is already a ${what} called ${name}: ${by}.`,
    {
      shared: (all, length) =>
        sentence`${all.length} of the names are taken already${
          length === 'short'
            ? ''
            : sentence`: ${listed(
                all.map(({ by }) => by),
                MAX_NAMED,
              )}`
        }.`,
    },
  ),
  name_being_given: notice(
    'caution',
    { by: text, name: ours },
    ({ by, name }) => sentence`${word(by)}, which runs now, gives the name ${name} too.`,
  ),
  created_lately: notice(
    'caution',
    { by: text, name: ours, record: ours },
    ({ by, name, record }) => sentence`${word(by)} created ${name} a short while ago, which the list of ${record}s did not show.`,
  ),
  perhaps_created: notice(
    'caution',
    { by: text, name: ours },
    ({ by, name }) => sentence`${word(by)} may have created ${name} already, or it may still appear.`,
  ),
  not_created_again: notice('caution', { name: ours, reason: ours }, ({ name, reason }) => sentence`${name} is not sent again. ${reason}`, {
    leavesAlone: true,
  }),
  created_empty: notice(
    'caution',
    { label },
    ({ label: name }) => sentence`${of(name)}Whether a channel without videos is accepted is not documented.`,
    {
      shared: (all, length) => {
        const which =
          length === 'short'
            ? ''
            : sentence` (${listed(
                all.flatMap(({ label: name }) => name ?? []),
                MAX_NAMED,
              )})`;
        return sentence`${all.length} new channels have no videos${which}; whether that is accepted is not documented.`;
      },
    },
  ),
  created_with_unknown: notice(
    'caution',
    { label, count, which: ours },
    (facts) => sentence`${of(facts.label)}The video catalogue does not know ${facts.count} of these keys: ${facts.which}.`,
    {
      size: (facts) => facts.count,
      shared: (all, length) => {
        const sum = all.reduce((total, facts) => total + facts.count, 0);
        const named = all.map((facts) => sentence`${facts.label ?? ''} ${facts.count}`);
        return sentence`The video catalogue does not know ${sum} keys of ${all.length} new channels${length === 'short' ? '' : sentence`: ${listed(named, MAX_NAMED)}`}.`;
      },
    },
  ),
  videos_unchecked: notice(
    'caution',
    {},
    () =>
      sentence`Whether these videos exist is not checked before (no video catalogue is set); the service may refuse keys it does not know.`,
  ),
  catalogue_unusable: notice(
    'fact',
    { problem: ours },
    ({ problem }) => sentence`${problem} So ids and keys are taken as they stand, and titles are missing.`,
    { mayBeCovered: true },
  ),
  catalogue_of_other: notice('caution', {}, () => sentence`The video catalogue may list another account’s videos. ${OF_OTHER}`),
  region_unknown: notice(
    'caution',
    { region: ours, seen: ours },
    ({ region, seen }) =>
      sentence`No project of the account is in the region ${region}; which regions there are is not documented. Seen: ${seen || 'none'}.`,
  ),
  /** Of an undo: the change that it undoes was stopped, also for that. */
  stopped_before: notice(
    'fact',
    { by: text, count, what: z.enum(['channel', 'video']) },
    ({ by, count: left, what }) =>
      sentence`${word(by)} was stopped before its end: ${counted(left, what)} ${left === 1 ? 'was' : 'were'} not sent. Once this is done, it is not carried on any more.`,
    { mayBeCovered: true },
  ),
  personal_data: notice('final', {}, () => sentence`This is personal data of viewers.`, { summed: () => sentence`personal data` }),
  goes_into_folder: notice('fact', { folder: ours }, ({ folder }) => sentence`Into the folder ${folder}, readable by its owner alone.`, {}),
  goes_onto_page: notice(
    'fact',
    {},
    () =>
      sentence`Into a file that whoever asked and whoever approves can download on the page for ${DOWNLOAD_HOURS} hours; then it is removed.`,
    {},
  ),
  goes_into_conversation: notice('final', {}, () => sentence`They become part of the conversation, and go wherever it goes.`),
  emails_not_counted: notice(
    'fact',
    {},
    () => sentence`How many there are is not told here, since such a domain may be a person’s own.`,
    {},
  ),
  apostrophes: notice('fact', { count }, (facts) => apostrophesText(facts.count) ?? sentence``),
};
