import { count, notice, text } from './notice.ts';

const label = text.optional();
const of = (name: string | undefined): string => (name === undefined ? '' : `${name}: `);

/** What a person must know of new channels and projects, and of what is given out. */
export const OTHER_NOTICES = {
  name_taken: notice({ what: text, name: text, by: text }, ({ what, name, by }) => `There is already a ${what} called ${name}: ${by}.`),
  name_being_given: notice({ by: text, name: text }, ({ by, name }) => `${by}, which runs now, gives the name ${name} too.`),
  created_lately: notice(
    { by: text, name: text, record: text },
    ({ by, name, record }) => `${by} created ${name} a short while ago, which the list of ${record}s did not show.`,
  ),
  perhaps_created: notice({ by: text, name: text }, ({ by, name }) => `${by} may have created ${name} already, or it may still appear.`),
  not_created_again: notice({ name: text, reason: text }, ({ name, reason }) => `${name} is not sent again. ${reason}`),
  created_empty: notice({ label }, ({ label: name }) => `${of(name)}Whether a channel without videos is accepted is not documented.`),
  created_with_unknown: notice(
    { label, count, which: text },
    (facts) => `${of(facts.label)}The video catalogue does not know ${facts.count} of these keys: ${facts.which}.`,
  ),
  videos_unchecked: notice(
    {},
    () => 'Whether these videos exist is not checked before (no video catalogue is set); the service may refuse keys it does not know.',
  ),
  region_unknown: notice(
    { region: text, seen: text },
    ({ region, seen }) =>
      `No project of the account is in the region ${region}; which regions there are is not documented. Seen: ${seen || 'none'}.`,
  ),
  personal_data: notice({}, () => 'This is personal data of viewers.'),
};
