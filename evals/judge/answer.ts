import type { Outcome, Wanted } from '../task.ts';

/** What an answer lacks, or says and must not. */
export function answerFindings(answer: string, { says = [], saysNot = [] }: Outcome): string[] {
  const missing = says.flatMap((wanted) => {
    const choices = Array.isArray(wanted) ? wanted : [wanted];
    return choices.some((choice) => mentions(answer, choice)) ? [] : [`the final answer does not say ${choices.map(String).join(' or ')}`];
  });
  return [...missing, ...saysNot.flatMap((unwanted) => (mentions(answer, unwanted) ? [`the final answer says ${String(unwanted)}`] : []))];
}

export function mentions(text: string, wanted: Wanted): boolean {
  if (wanted instanceof RegExp) return text.search(wanted) >= 0;
  return numbersIn(text).some((number) => isMeant(number, wanted));
}

interface Written {
  readonly value: number;
  readonly decimals: number;
}

/** A whole number has to be exact, another one may be rounded, but by no more than 3 %. */
function isMeant({ value, decimals }: Written, wanted: number): boolean {
  if (Number.isInteger(wanted)) return value === wanted;
  const error = Math.abs(value - wanted);
  return error <= 0.5 * 10 ** -decimals + 1e-9 && error <= 0.03 * Math.abs(wanted);
}

const NUMBER = /\d{1,3}(?:[,.’'\u00a0\u202f\u2009 ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?/g;

/** Every number in every reading: `2.493` is both 2493 and 2.493. */
function numbersIn(text: string): Written[] {
  return [...text.matchAll(NUMBER)].flatMap(([written]) => {
    const readings: Written[] = [];
    const grouped = /^(\d{1,3}(?:[,.’'\u00a0\u202f\u2009 ]\d{3})+)(?:[.,](\d+))?$/.exec(written);
    if (grouped !== null) readings.push(number(grouped[1]?.replace(/\D/g, '') ?? '', grouped[2]));
    const plain = /^(\d+)(?:[.,](\d+))?$/.exec(written);
    if (plain !== null) readings.push(number(plain[1] ?? '', plain[2]));
    // "12 300 of 500" may be two numbers.
    if (/[\u00a0 ]/.test(written)) readings.push(...written.split(/[\u00a0 ]/).map((part) => number(part, undefined)));
    return readings;
  });
}

function number(whole: string, fraction: string | undefined): Written {
  return { value: Number(`${whole}.${fraction ?? '0'}`), decimals: fraction?.length ?? 0 };
}
