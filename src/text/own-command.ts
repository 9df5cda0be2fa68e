import { asSentence, joined, type Own, type Sentence, sentence, word } from './sentence.ts';

/** The name under which it is installed as a package. */
export const PROGRAM = 'video-hosting-mcp';

let found: Sentence | undefined;
let find = (): Sentence => sentence`${PROGRAM}`;

/** Says how a person starts this program at a terminal of this machine. Each file of the build is told by itself; it is looked for when it is first told. */
export function setOwnCommand(finder: () => Sentence): void {
  find = finder;
  found = undefined;
}

/** What a person does once a setting was changed, by where they are told: a server, the questions of `install`, the end of it, or another command. */
const TO_TAKE_EFFECT = {
  server: sentence`restart the server`,
  questions: sentence`enter it below`,
  install: sentence`run install again`,
  command: sentence`run this command again`,
} as const;
type ToldIn = keyof typeof TO_TAKE_EFFECT;

let toldIn = (_variable: string | undefined): ToldIn => 'server';

/** Says where what follows is told, of each setting: `install` asks for some of them in a moment. */
export function setToldIn(where: typeof toldIn): void {
  toldIn = where;
}

/** What makes a changed setting count: `set it and ${toTakeEffect()}`. */
export const toTakeEffect = (variable?: string): Sentence => TO_TAKE_EFFECT[toldIn(variable)];

/** How a credential that was issued anew comes to count. */
export const setAnew = (variable: string): Sentence =>
  toldIn(variable) === 'questions' ? toTakeEffect(variable) : sentence`set ${word(variable)} to it and ${toTakeEffect(variable)}`;

const CREDENTIALS = { key: 'VIDEO_HOSTING_API_KEY', 'access token': 'VIDEO_HOSTING_ACCESS_TOKEN' } as const;

let areReadersHere = true;

/** Says whether whoever reads what follows is at this machine, or elsewhere: those can use none of its commands and files. */
export function setReaders(where: 'here' | 'elsewhere'): void {
  areReadersHere = where === 'here';
}

/** What is told at this machine alone, and what stands in its place for readers elsewhere. */
export const toReaders = <Here extends string, Elsewhere extends string>(
  here: () => Here & Own<Here>,
  elsewhere: Elsewhere & Own<Elsewhere>,
): Sentence => asSentence(areReadersHere ? here() : elsewhere);

/** What only whoever runs this server can do, who is somebody else where readers are elsewhere. */
export const toOperator = <Text extends string>(text: Text & Own<Text>): Sentence =>
  toReaders(() => asSentence(text), sentence`Whoever runs this server can put it right: ${asSentence(text)}`);

/** With how a renewed key or access token gets to where `install` keeps it, unless that is what is running. */
export function withInstall(text: Sentence, what: keyof typeof CREDENTIALS = 'key'): Sentence {
  const place = toldIn(CREDENTIALS[what]);
  if (place === 'questions' || place === 'install' || !areReadersHere) return text;
  return sentence`${text} \`${ownCommand('install')}\`, run again, asks for the new ${what}.`;
}

/** What a person types to run a command of this program here: `node /srv/dist/main.cjs waiting`. */
export function ownCommand<const Args extends string>(args: Args & Own<Args>): Sentence {
  found ??= find();
  return joined([found, asSentence(args)]);
}
