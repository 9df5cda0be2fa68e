import { escaped } from '../page/server/document.ts';
import { DOCUMENT_STYLE } from '../page/server/document-style.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

/** A sign-in that ended leads here with the view that was shown: a fragment, which no server is told. What it leads to is checked there. */
const KEEP_VIEW = `
const to = document.querySelector('[name=to]');
if (to.value === '/app/' && location.hash.startsWith('#/')) to.value = '/app/' + location.hash.slice(2);
`;

/** What came before a sign-in, by the name that the address of the form has for it. */
const BEFORE = {
  ended: sentence`You are not signed in any more. A sign-in lasts eight hours, half an hour without use, and ends when the server restarts or your key is renewed. What waits is kept.`,
  'sign-out': sentence`You are signed out in this browser. What waits is kept, and what runs goes on.`,
} as const;
export type BeforeSignIn = keyof typeof BEFORE;

const isBefore = (text: string): text is BeforeSignIn => Object.hasOwn(BEFORE, text);

export interface SignInForm {
  /** Where somebody goes once they are signed in, and what that is. */
  readonly to: string;
  readonly leadsTo: 'page' | 'change' | 'view';
  /** Of the server, as people reach it. */
  readonly host: string;
  /** What the address tells of what came before, which anybody may have written. */
  readonly before?: string | null;
  /** Why the last try failed. */
  readonly problem?: Sentence | undefined;
}

const LEADS_TO: Readonly<Record<SignInForm['leadsTo'], Sentence | undefined>> = {
  page: undefined,
  change: sentence`Your link leads to a change. You see it once you are signed in; to sign in decides nothing.`,
  view: sentence`You go on to where your link leads once you are signed in.`,
};

/** Where somebody signs in with their page key. It works without script. */
export function signInDocument({ to, leadsTo, host, before, problem }: SignInForm): string {
  const notes = [before && isBefore(before) && problem === undefined ? BEFORE[before] : undefined, LEADS_TO[leadsTo]];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in: video hosting</title>
<style>${DOCUMENT_STYLE}</style>
<main>
<p class="quiet">Video hosting</p>
<h1>Sign in</h1>
<p class="quiet">To the server at <strong>${escaped(host)}</strong>, where people see and decide what assistants change in a video hosting account.</p>
${notes.map((note) => (note === undefined ? '' : `<p role="status">${escaped(note)}</p>`)).join('\n')}
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="key">Page key</label>
<input id="key" name="key" type="password" autocomplete="current-password" aria-describedby="keys" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="quiet small" id="keys">It begins with vhp_. Whoever runs this server gave it to you, with your client token. No key, or lost it? Ask them for a new one.</p>
<details class="quiet small">
<summary>For whoever runs this server</summary>
<p><code>people add</code> lets somebody new in, and <code>people rotate</code> makes new keys.</p>
</details>
</main>
<script>${KEEP_VIEW}</script>
</html>
`;
}
