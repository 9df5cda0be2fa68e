/** A word, id, number or time as it is; any other text quoted, and what would read as no value. */
export const quoted = (text: string): string => (/^(?!(?:-|null)$)[\w.:+-]{1,100}$/.test(text) ? text : JSON.stringify(text));
