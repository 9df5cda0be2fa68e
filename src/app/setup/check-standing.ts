import { nothingText, reportText, type StandingReport } from '../../changes/standing/rule-words.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { counted } from '../../text/counted.ts';
import { pathInQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

const about = SETTINGS.standingApprovals.title;
/** Whether the file of standing approvals covers anything for this agent. */
export function standingFinding(report: StandingReport, { standingApprovals = '', agent }: Settings): Finding {
  const path = pathInQuotes(standingApprovals);
  const nothing = nothingText(report, agent);
  if (nothing === undefined) {
    const own = report.approvals.filter((approval) => approval.agent === agent && approval.state === 'counts');
    const count = counted(own.flatMap(({ rules }) => rules).length, 'rule');
    return fine(about, sentence`${path}, ${count} for ${word(agent ?? '')} in force.`);
  }
  if (report.problems.length > 0) return wrong(about, nothing, sentence`Correct the file: ${path}`);
  const remedy = sentence`Set ${SETTINGS.agent.variable} to the name that the file gives in "for", or correct the file.`;
  return note(about, sentence`${path}: ${nothing}`, remedy);
}

/** What the agent is told: each rule in a sentence, with what is left of it. */
export function allowedOut(report: StandingReport, agent: string | undefined): Sentence[] {
  const name = agent === undefined ? sentence`` : sentence` for ${word(agent)}`;
  if (report.problems.length > 0) return [sentence`nothing${name}, since the file can’t be used.`];
  const own = report.approvals.filter((approval) => approval.agent === agent);
  if (own.length === 0) return [sentence`nothing. ${nothingText(report, agent) ?? sentence``}`];
  return own.flatMap(({ state, rules }) => rules.map((rule) => reportText(state, rule)));
}
