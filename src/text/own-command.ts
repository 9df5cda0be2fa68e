import { asSentence, joined, type Own, type Sentence, sentence } from './sentence.ts';

/** The name under which it is installed as a package. */
export const PROGRAM = 'video-hosting-mcp';

let found: Sentence | undefined;
let find = (): Sentence => sentence`${PROGRAM}`;

/** Says how a person starts this program at a terminal of this machine. Each file of the build is told by itself; it is looked for when it is first told. */
export function setOwnCommand(finder: () => Sentence): void {
  find = finder;
  found = undefined;
}

/** How a renewed key or access token gets to where `install` keeps it. */
export const asksForKey = (what: 'key' | 'access token' = 'key'): Sentence =>
  sentence`\`${ownCommand('install')}\`, run again, asks for the new ${what}.`;

/** What a person types to run a command of this program here: `node /srv/dist/main.cjs waiting`. */
export function ownCommand<const Args extends string>(args: Args & Own<Args>): Sentence {
  found ??= find();
  return joined([found, asSentence(args)]);
}
