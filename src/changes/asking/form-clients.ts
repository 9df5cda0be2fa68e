/** A client as it names itself. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** A choice between nothing and the change, or a box that is to be ticked. */
export type DecisionField = 'choice' | 'box';

/** What a form has, as its client draws it well. */
export interface FormStyle {
  readonly field: DecisionField;
  /** Whether there is a line for words to the assistant. */
  readonly hasNote: boolean;
}

/**
 * The clients whose forms were tried, by the names that they give themselves, with the version. A choice is safe in any client;
 * a box only where it is drawn unticked.
 */
const TRIED: ReadonlyMap<string, FormStyle & { readonly version: string }> = new Map([
  // The box takes one key; a choice is drawn folded and takes three. A note costs a key even if it is left empty.
  ['claude-code', { field: 'box', hasNote: false, version: '2.1.332' }],
  // A box is drawn as the list “True, False” with True chosen, so that Enter alone would agree. A note that is left empty
  // can’t be sent off.
  ['codex-mcp-client', { field: 'choice', hasNote: false, version: '0.171.0' }],
]);

const UNTRIED: FormStyle = { field: 'choice', hasNote: true };

export const formStyleOf = ({ name }: ClientIdentity): FormStyle => TRIED.get(name) ?? UNTRIED;
