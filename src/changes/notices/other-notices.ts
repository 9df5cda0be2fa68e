import * as z from 'zod';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { apostrophesText } from '../kinds/emails/email-file.ts';
import { count, notice, ours, text } from './notice.ts';

const label = ours.optional();
const of = (name: Sentence | undefined): Sentence => (name === undefined ? sentence`` : sentence`${name}: `);

/** What a person must know of new channels and projects, and of what is given out. */
export const OTHER_NOTICES = {
  name_taken: notice(
    { what: z.enum(['channel', 'project']), name: ours, by: ours },
    ({ what, name, by }) => sentence`There is already a ${what} called ${name}: ${by}.`,
  ),
  name_being_given: notice({ by: text, name: ours }, ({ by, name }) => sentence`${word(by)}, which runs now, gives the name ${name} too.`),
  created_lately: notice(
    { by: text, name: ours, record: ours },
    ({ by, name, record }) => sentence`${word(by)} created ${name} a short while ago, which the list of ${record}s did not show.`,
  ),
  perhaps_created: notice(
    { by: text, name: ours },
    ({ by, name }) => sentence`${word(by)} may have created ${name} already, or it may still appear.`,
  ),
  not_created_again: notice({ name: ours, reason: ours }, ({ name, reason }) => sentence`${name} is not sent again. ${reason}`),
  created_empty: notice(
    { label },
    ({ label: name }) => sentence`${of(name)}Whether a channel without videos is accepted is not documented.`,
  ),
  created_with_unknown: notice(
    { label, count, which: ours },
    (facts) => sentence`${of(facts.label)}The video catalogue does not know ${facts.count} of these keys: ${facts.which}.`,
  ),
  videos_unchecked: notice(
    {},
    () =>
      sentence`Whether these videos exist is not checked before (no video catalogue is set); the service may refuse keys it does not know.`,
  ),
  catalogue_unusable: notice(
    { problem: ours },
    ({ problem }) => sentence`${problem} So ids and keys are taken as they stand, and titles are missing.`,
    { isFact: true, mayBeCovered: true },
  ),
  region_unknown: notice(
    { region: ours, seen: ours },
    ({ region, seen }) =>
      sentence`No project of the account is in the region ${region}; which regions there are is not documented. Seen: ${seen || 'none'}.`,
  ),
  personal_data: notice({}, () => sentence`This is personal data of viewers.`),
  goes_into_folder: notice({ folder: ours }, ({ folder }) => sentence`Into the folder ${folder}, readable by its owner alone.`, {
    isFact: true,
  }),
  goes_into_conversation: notice({}, () => sentence`They become part of the conversation, and go wherever it goes.`),
  emails_not_counted: notice({}, () => sentence`How many there are is not told here, since such a domain may be a person’s own.`, {
    isFact: true,
  }),
  apostrophes: notice({ count }, (facts) => apostrophesText(facts.count) ?? sentence``, { isFact: true }),
};
