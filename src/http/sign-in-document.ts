import { DOCUMENT_STYLE } from '../page/server/document-style.ts';
import type { Sentence } from '../text/sentence.ts';

/** A sign-in that ended leads here with the view that was shown: a fragment, which no server is told. What it leads to is checked there. */
const KEEP_VIEW = `
const to = document.querySelector('[name=to]');
if (to.value === '/app/' && location.hash.startsWith('#/')) to.value = '/app/' + location.hash.slice(2);
`;

/** Where somebody signs in with their page key. It works without script. `to`: where they go then. */
export const signInDocument = (to: string, problem?: Sentence): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in: video hosting</title>
<style>${DOCUMENT_STYLE}</style>
<main>
<h1>Sign in</h1>
<p class="quiet">With your page key (vhp_…), which whoever runs this server gave you with your client token.</p>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="key">Page key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required autofocus>
<button type="submit">Sign in</button>
</form>
</main>
<script>${KEEP_VIEW}</script>
</html>
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
