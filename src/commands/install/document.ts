import { VideoHostingError } from '../../errors.ts';
import { isObject, type Values } from '../../platform/is-object.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

/** The name under which this server stands in a client's configuration. */
export const SERVER = 'video-hosting';

/** A server in a client's configuration. */
export type ServerEntry = Values;

/** A value that the client asks for and stores itself: VS Code's `inputs`. */
export interface ClientInput {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** The id of the input from which an entry takes a variable; undefined where it takes it from none. */
export function inputIdIn({ env }: ServerEntry, variable: string): string | undefined {
  return /^\$\{input:([^}]*)\}$/.exec(String(isObject(env) ? env[variable] : ''))?.[1];
}

/** The inputs of ours that an entry takes something from. */
export const ownInputsIn = (entry: ServerEntry): string[] =>
  [...JSON.stringify(entry).matchAll(/\$\{input:([^}"]*)\}/g)].map(([, id = '']) => id).filter((id) => id.startsWith(`${SERVER}-`));

/** The text of a client's configuration. Nothing here touches the disk. */
export interface ConfigDocument {
  readonly entry: ServerEntry | undefined;
  /** The text with this entry and these inputs, without those of the former entry that nothing uses. Values and comments of others stay. */
  with(entry: ServerEntry, inputs: readonly ClientInput[]): string;
  /** The text without our entry, and without those inputs of ours that no other server uses. */
  without(inputIds: readonly string[]): string;
}

/** The error of a configuration that can't be changed; `offset` is a place in the text. */
export function unusableConfig(problem: Sentence, text?: string, offset = 0): VideoHostingError {
  if (text === undefined) return new VideoHostingError('client_config', problem);
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return new VideoHostingError('client_config', sentence`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${problem}`);
}
