import type { Sentence } from '../text/sentence.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 12vh auto 0; padding: 0 1rem }
label { display: block; margin: 1.5rem 0 .25rem }
input, button { font: inherit; padding: .5rem .75rem; box-sizing: border-box }
input { width: 100% }
button { margin-top: 1rem }
[role=alert] { font-weight: 600 }
`.trim();

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
<style>${STYLE}</style>
<main>
<h1>Sign in</h1>
<p>With your page key (vhp_…), which whoever runs this server gave you with your client token.</p>
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
