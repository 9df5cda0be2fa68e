import * as z from 'zod';
import { inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';

const Count = z.int().min(0);
/** How much is used of a limit, this change included. */
const Used = z.object({ used: Count, limit: Count }).readonly();

const RuleUse = z
  .object({
    approval: z.string(),
    kind: z.string(),
    /** Which of the approval’s rules it is, from 1, where several are of its kind. */
    position: z.int().optional(),
    /** The rule without its limits, as a digest: by which its uses are added up. */
    rule: z.string(),
    number: Count,
    today: Used,
    total: Used.optional(),
    /** Of records: how much falls to each. What is not done of them is given back. */
    items: z.record(z.string(), Count).readonly().optional(),
    /** Records that are called otherwise than the file says. */
    renamed: z
      .array(z.object({ id: z.string(), named: z.string(), now: z.string() }))
      .readonly()
      .optional(),
  })
  .readonly();
export type RuleUse = z.output<typeof RuleUse>;

/** By what a change was covered when it was begun. */
export const ReceiptSchema = z
  .object({
    agent: z.string(),
    /** SHA-256 of the file of standing approvals. */
    file: z.string(),
    rules: z.array(RuleUse).min(1).readonly(),
  })
  .readonly();
export type Receipt = z.output<typeof ReceiptSchema>;

const SHOWN_DIGITS = 12;

/** The receipt in a sentence, with the sums as they were when the change began, without what was given back since. */
export function receiptText(receipt: Receipt, countedOf: (use: RuleUse) => number): Sentence {
  const { agent, file } = receipt;
  const covered = sentence`Covered by a standing approval for ${word(agent)}: ${usesText(receipt, countedOf)}. File ${word(file.slice(0, SHOWN_DIGITS))}.`;
  return joined([covered, ...renamedTexts(receipt)]);
}

/** What is called otherwise by now than its rules say. */
export const renamedTexts = ({ rules }: Receipt): readonly Sentence[] => [
  ...new Set(rules.flatMap((rule) => rule.renamed ?? []).map(renamedText)),
];

/** Approvals and rules, with the sums that count. */
export function usesText({ rules }: Receipt, countedOf: (use: RuleUse) => number): Sentence {
  const uses = rules.map((use) => {
    const counted = countedOf(use);
    const sumOf = ({ used }: RuleUse['today']) => numberOf(used - use.number + counted);
    const of = counted === use.number ? sentence`` : sentence` of ${numberOf(use.number)}`;
    const inAll = use.total === undefined ? sentence`` : sentence`, ${sumOf(use.total)} of ${numberOf(use.total.limit)} in all`;
    return sentence`${word(use.approval)} (${ruleName(use)}: ${numberOf(counted)}${of}; ${sumOf(use.today)} of today’s ${numberOf(use.today.limit)}${inAll})`;
  });
  return joined(uses, ', ');
}

/** Its kind, and which it is where several of the approval are of that. */
export const ruleName = ({ kind, position }: Pick<RuleUse, 'kind' | 'position'>): Sentence =>
  position === undefined ? word(kind) : sentence`${word(kind)}, rule ${position}`;

/** A record that is called otherwise than the file says. */
export const renamedText = ({ id, named, now }: NonNullable<RuleUse['renamed']>[number]): Sentence =>
  sentence`${inQuotes(named)} of the file is now called ${inQuotes(now)} (${word(id)}).`;

export const numberOf = (count: number): Sentence => inFull(count);
