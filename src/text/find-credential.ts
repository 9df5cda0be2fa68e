import { type Sentence, sentence } from './sentence.ts';

/** Where a value holds a credential: the names and places that lead to it, and what is said of it, which begins behind the name of what holds it. */
export interface FoundCredential {
  readonly path: readonly (string | number)[];
  readonly problem: Sentence;
}

const NOT_TAKEN = sentence`Nothing was done, and nothing of it is kept. Leave it out`;
const OF_SERVICE = sentence`${NOT_TAKEN}; whoever reads it could use it, so it should be replaced by a new one at the service.`;

/** Letters of both cases and digits, in a row and without a break; or so many of them that no word is as long. What is far from the first is not looked at: it takes time. */
const UNBROKEN = String.raw`(?=[A-Za-z\d]{0,200}\d)(?=[A-Za-z\d]{0,200}[a-z])(?=[A-Za-z\d]{0,200}[A-Z])[A-Za-z\d]{20}|(?=[A-Za-z\d]{0,200}\d)(?=[A-Za-z\d]{0,200}[A-Za-z])[A-Za-z\d]{32}`;
const WITH_SIGNS = String.raw`(?=[\w+/~-]{0,200}\d)(?=[\w+/~-]{0,200}[a-z])(?=[\w+/~-]{0,200}[A-Z])[\w+/~-]{40}`;
const UUID = String.raw`[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}`;

/** What no text of an account, a filter or a note is, by its looks: a title may have “bearer” and a file’s name behind it. */
const KINDS: readonly (readonly [looks: RegExp, problem: Sentence])[] = [
  [
    /vhm_[\w-]{43}/,
    sentence`holds a client token (vhm_…). ${NOT_TAKEN}; whoever reads it could use it, so its person should make a new one on the page, under “Connect a client”.`,
  ],
  [
    /vhp_[\w-]{43}/,
    sentence`holds a page key (vhp_…). ${NOT_TAKEN}; whoever reads it could sign in with it, so whoever runs this server should make a new one (people rotate).`,
  ],
  [/(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/, sentence`holds a JWT, which is a credential. ${OF_SERVICE}`],
  [
    new RegExp(String.raw`(?<!\w)(?:[Bb]earer|BEARER)\s+[\w.~-]{0,40}?(?:${UNBROKEN}|${WITH_SIGNS}|${UUID})`),
    sentence`holds a credential behind the word Bearer. ${OF_SERVICE}`,
  ],
];
const OWN = sentence`holds the credential with which this server asks the service. ${OF_SERVICE}`;
/** Below this, what was set as a credential may be a word. */
const MIN_OWN = 16;

/** The first credential in the texts and names of a value. `own`: those of this server. */
export function findCredential(value: unknown, own: readonly (string | undefined)[]): FoundCredential | undefined {
  const known = own.flatMap((secret) => (secret !== undefined && secret.length >= MIN_OWN ? [secret, encodeURIComponent(secret)] : []));
  return findIn(value, [], known);
}

function findIn(value: unknown, path: FoundCredential['path'], own: readonly string[]): FoundCredential | undefined {
  if (typeof value === 'string') {
    const problem = problemOf(value, own);
    return problem === undefined ? undefined : { path, problem };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return findInList(value, path, own);
  for (const [name, inner] of Object.entries(value)) {
    // What is said of a name does not repeat it.
    const found = findIn(name, path, own) ?? findIn(inner, [...path, name], own);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Entries that are looked through at once: of a hundred thousand ids one by one would take ten times as long. */
const AT_ONCE = 1_000;

function findInList(list: readonly unknown[], path: FoundCredential['path'], own: readonly string[]): FoundCredential | undefined {
  for (let from = 0; from < list.length; from += AT_ONCE) {
    const entries = list.slice(from, from + AT_ONCE);
    const texts = entries.filter((entry) => typeof entry === 'string');
    const hasNone = problemOf(texts.join(' | '), own) === undefined;
    for (const [at, entry] of entries.entries()) {
      const found = hasNone && typeof entry !== 'object' ? undefined : findIn(entry, [...path, from + at], own);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function problemOf(text: string, own: readonly string[]): Sentence | undefined {
  if (own.some((secret) => text.includes(secret))) return OWN;
  return KINDS.find(([looks]) => looks.test(text))?.[1];
}
