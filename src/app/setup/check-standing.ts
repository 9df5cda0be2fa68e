import { noneForText, reportText, unusableText } from '../../changes/standing/rule-words.ts';
import type { StandingReport } from '../../changes/standing/standing.ts';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { counted } from '../../text/counted.ts';
import { asSentence, inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import { type Finding, fine, note, wrong } from './finding.ts';

const about = SETTINGS.standingApprovals.title;
const MAX_PATH = 4_096;

/** Whether the file of standing approvals covers anything for this agent. */
export function standingFinding({ problems, rules }: StandingReport, { standingApprovals = '', agent }: Settings): Finding {
  const path = inQuotes(standingApprovals, MAX_PATH);
  if (problems.length > 0) return wrong(about, unusableText(problems), sentence`Correct the file: ${path}`);
  const own = rules.filter((rule) => rule.agent === agent);
  if (agent === undefined || own.length === 0)
    return note(
      about,
      sentence`${path}: ${noneForText(agent, rules)}`,
      sentence`Set ${SETTINGS.agent.variable} to the name that the file gives in "for".`,
    );
  const count = own.filter(({ state }) => state === 'counts').length;
  const of = sentence`${asSentence(counted(own.length, 'rule'))} for ${word(agent)}`;
  if (count === own.length) return fine(about, sentence`${path}, ${of} ${count === 1 ? 'counts' : 'count'}.`);
  const some = sentence`${path}, ${count} of ${of} ${count === 1 ? 'counts' : 'count'}.`;
  return note(about, some, sentence`video-hosting-mcp approvals says which have ended or were revoked.`);
}

/** What the agent is told: each rule in a sentence, with what is left of it. */
export function allowedOut({ problems, rules }: StandingReport, agent: string | undefined): Sentence[] {
  if (agent === undefined) return [sentence`nothing, since VIDEO_HOSTING_AGENT names no agent.`];
  if (problems.length > 0) return [sentence`nothing, since the file can’t be used.`];
  const own = rules.filter((rule) => rule.agent === agent);
  return own.length > 0 ? own.map(reportText) : [sentence`nothing. ${noneForText(agent, rules)}`];
}
