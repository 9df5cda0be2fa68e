/** A word, id, number or time as it is; any other text quoted, and what would read as no value. */
export const quoted = (text: string): string => (/^(?!(?:-|null)$)[\w.:+-]{1,100}$/.test(text) ? text : JSON.stringify(text));

/** A part of a text: what is quoted in it, with its quotation marks, or what stands between. */
export interface TextPart {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * The parts of a text in which all that is a stranger's was quoted as `quoted` does it. Its quotation marks are escaped there, so
 * that it can't end the quotation, whatever it holds. The only place that knows this of a text that is made.
 */
export const partsOf = (text: string): TextPart[] =>
  Array.from(text.matchAll(/("(?:[^"\\]|\\.)*")|[^"]+|"/gs), ([part, isQuoted]) => ({ text: part, isQuoted: isQuoted !== undefined }));
