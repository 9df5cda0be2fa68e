import { zoneName } from './words.ts';

/** Which clock all times are by, said once. */
export const ZoneNote = () => <p class="quiet small">Times are by your clock ({zoneName().replaceAll('_', ' ')}).</p>;
