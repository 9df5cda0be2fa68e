import { sentence } from '../text/sentence.ts';

const MARKS = `"'\`“”„‟«»‘’‚‛‹›`;
const AT_AN_END = new RegExp(`^[${MARKS}]|[${MARKS}]$`, 'u');

/** A shell takes the marks away; a client’s configuration and a system’s dialog keep them. */
export const isInMarks = (text: string): boolean => AT_AN_END.test(text);

export const IN_MARKS = sentence`must not stand in quotation marks, which would be a part of it: write it without them.`;
