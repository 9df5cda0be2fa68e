/** A word, id, number or time as it is; any other text quoted, and what would read as no value. */
export const quoted = (text: string): string => (/^(?!(?:-|null)$)[\w.:+-]{1,100}$/.test(text) ? text : JSON.stringify(text));

/**
 * The parts of a text; what is quoted, with its quotation marks. All that is a stranger's was quoted as `quoted` does it, which
 * escapes its own marks, so that it can't end the quotation, whatever it holds. The only place that knows this of a text that is made.
 */
export const partsOf = (text: string) =>
  Array.from(text.matchAll(/("(?:[^"\\]|\\.)*")|[^"]+|"/gs), ([part, isQuoted]) => ({ text: part, isQuoted: isQuoted !== undefined }));
