import { VideoHostingError } from '../../errors.ts';
import type { Entry } from './entry.ts';

/** A question that the client asks a person, and remembers the answer of: VS Code's `inputs`. */
export interface ClientInput {
  readonly id: string;
  readonly description: string;
}

/** A client's configuration. Nothing here touches the disk; what is not changed stays as it is, byte for byte. */
export interface ConfigDocument {
  /** What stands under our name. */
  readonly entry: Entry | undefined;
  /** The text with this entry under our name, and with these inputs. */
  with(entry: Entry, inputs: readonly ClientInput[]): string;
  /** The text without our entry, and without those inputs of ours that no other server uses. */
  without(inputIds: readonly string[]): string;
}

/** The error of a configuration that can't be changed; `at` is an offset in the text. */
export function unusable(problem: string, text?: string, at = 0): VideoHostingError {
  if (text === undefined) return new VideoHostingError('client_config', problem);
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return new VideoHostingError('client_config', `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${problem}`);
}
