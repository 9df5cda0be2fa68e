import { SETTINGS, type Settings } from '../../config/settings.ts';
import { openPeople, peopleFileIn } from '../../people/people.ts';
import { type Finding, note } from './finding.ts';

/** Whose roles in the file of people don’t count. Throws `people_unusable`. */
export const rolesFindings = ({ people, dataDir }: Pick<Settings, 'people' | 'dataDir'>): Finding[] =>
  openPeople(people ?? peopleFileIn(dataDir))
    .problems()
    .map(({ detail, remedy }) => note(SETTINGS.people.title, detail, remedy));
