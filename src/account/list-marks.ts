import { inQuotes, type Sentence, sentence } from '../text/sentence.ts';

/** What stands before an entry of a list that people or models write: `- `, `* [ ] `, `1. `, `2) `. */
const BULLET = /^(?:[-*+•–‣▪]|\d{1,6}[.)])\s+(?:\[[ xX]?\]\s+)?(?=\S)/;
/** Marks of emphasis or code around an entry, and quotation marks. */
const AROUND = [/^`+([^`]+)`+$/, /^\*\*([^*]+)\*\*$/, /^"([^"]+)"$/, /^“([^”]+)”$/, /^'([^']+)'$/, /^‘([^’]+)’$/, /^<([^<>\s]+)>$/];
/** Between entries. */
const AFTER = /(?<=\S)[,;]$/;

/** An entry without the marks of the list that it was written in: `- ` before it, a comma after it, backticks or quotes around it. */
export function withoutListMarks(entry: string): string {
  const bare = entry.replace(BULLET, '').replace(AFTER, '').trim();
  return AROUND.reduce((text, mark) => mark.exec(text)?.[1]?.trim() ?? text, bare);
}

/** Why an entry is a piece of text and no id or key, whatever ids look like; undefined where it may be one. */
export function problemWithMarks(entry: string): Sentence | undefined {
  const shown = inQuotes(entry);
  if (/^\|.*\|$/.test(entry)) return sentence`${shown} is a row of a Markdown table. Give the ids alone, or the table as a CSV.`;
  if (/\[[^\]]*\]\([^)]*\)/.test(entry))
    return sentence`${shown} is a Markdown link. Give the id alone.${lastPart(/\(([^)]*)\)/.exec(entry)?.[1])}`;
  if (/^(?:[a-z][a-z0-9+.-]*:)?\/\/|^www\./i.test(entry)) return sentence`${shown} is an address. Give the id alone.${lastPart(entry)}`;
  if (OF_SPREADSHEET.test(entry))
    return sentence`${shown} is a spreadsheet’s formula, or has the mark by which it keeps a text one. Give the id alone.`;
  return undefined;
}

/** The apostrophe before what would be a number or a formula, and a call of a function. */
const OF_SPREADSHEET = /^(?:['‘’`]|=[A-Z.]+\()/i;

/** Which part of an address may be the id: that is for whoever gave it to tell. */
function lastPart(address = ''): Sentence {
  const part = address
    .replace(/[?#].*$/s, '')
    .split('/')
    .findLast((text) => text !== '');
  return part === undefined || part.includes('.') || part.endsWith(':') ? sentence`` : sentence` Is it ${inQuotes(part)}?`;
}
