import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time-units.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import { type Finding, note, wrong } from './finding.ts';

/** Less than that a request on the way may take. */
const MIN_DIFFERENCE_MS = MINUTE_MS;
/** More than that no clock is off that is kept by a network. */
const WRONG_MS = 10 * MINUTE_MS;

/** That this machine’s clock and the service’s differ by so much, and what goes by it; undefined where that is little. */
export function clockFinding(differenceMs: number): Finding | undefined {
  const far = Math.abs(differenceMs);
  if (far < MIN_DIFFERENCE_MS) return undefined;
  const [here, there] = [Date.now(), Date.now() + differenceMs].map(timeText);
  return (far < WRONG_MS ? note : wrong)(
    'Clock',
    sentence`The clock of this server’s machine is ${lengthText(far)} ${differenceMs < 0 ? 'ahead of' : 'behind'} the service’s: here it is ${here ?? ''}, there ${there ?? ''}. What goes by it is as wrong: “today” in questions, times of changes, until when approvals count, and whether a JWT has expired.`,
    sentence`Set the clock of this server’s machine, unless the service’s is the wrong one.`,
  );
}

/** The same of a server for several people, by whose clock all goes that it does. */
export function serverClockFinding(differenceMs: number): Finding | undefined {
  const far = Math.abs(differenceMs);
  if (far < MIN_DIFFERENCE_MS) return undefined;
  return note(
    'Clock',
    sentence`This machine’s clock is ${lengthText(far)} ${differenceMs < 0 ? 'ahead of' : 'behind'} the server’s, by which it tells times and until when something waits.`,
    sentence`Set this machine’s clock, unless the server’s is the wrong one.`,
  );
}

const lengthText = (ms: number): Sentence => {
  if (ms < 2 * HOUR_MS) return counted(Math.round(ms / MINUTE_MS), 'minute');
  return ms < 2 * DAY_MS ? counted(Math.round(ms / HOUR_MS), 'hour') : counted(Math.round(ms / DAY_MS), 'day');
};
