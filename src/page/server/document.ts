import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ownCommand } from '../../text/own-command.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { PageProblem } from '../page-problem.ts';
import { DOCUMENT_STYLE } from './document-style.ts';
import { documentHeaders } from './headers.ts';

/** The page's document from a file; a plain one where the file is not there, as when the program runs from its source. */
export const loadDocument = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => PLACEHOLDER);

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Approval page</title><style>${DOCUMENT_STYLE}</style>`;

const NOT_OPENED = 'This page can’t be opened';

/** Answers the browser of a person who goes to what is not shown to them. */
export function sendNotOpened(response: ServerResponse, { status, message }: PageProblem, headers: OutgoingHttpHeaders = {}): void {
  const html = refusalDocument(status, message);
  response.writeHead(status, { ...documentHeaders(html), ...headers }).end(html);
}

const HEADINGS: Readonly<Record<number, string>> = {
  401: 'You are not signed in',
  404: 'Nothing is at this address',
  421: 'This server has another address',
  429: 'Too many requests',
  500: 'This server failed',
  503: 'This server can’t answer right now',
};

/** What a person’s browser is answered where nothing can be shown, and where a link leads on. */
export const refusalDocument = (
  status: number,
  why: Sentence,
  next?: { readonly words: string; readonly address: string },
): string => `${HEAD}
<main>
<p class="quiet">Video hosting</p>
<h1>${HEADINGS[status] ?? NOT_OPENED}</h1>
<p class="quiet">${escaped(why)}</p>
${next === undefined ? '' : `<p><a href="${escaped(next.address)}">${escaped(next.words)}</a></p>`}
</main>
</html>
`;

/** A text in a document, or in an attribute of it. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * What the address with a code answers, whatever the code: it exchanges the code and goes on to the page. The browser comes
 * here from a file or from another program, so a cookie that is set for that very request would not be sent with the next.
 */
export const entrance = () => `${HEAD}
<main>
<h1>Opening the approval page …</h1>
</main>
<script>
function tell(why) {
  document.querySelector('h1').textContent = ${inScript(NOT_OPENED)};
  const told = document.createElement('p');
  told.setAttribute('role', 'status');
  told.className = 'quiet';
  told.textContent = why;
  document.querySelector('main').append(told);
}
fetch('/open', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code: location.pathname.split('/').pop() }) })
  .then(async (answer) => {
    const body = await answer.json();
    if (answer.ok) location.replace(body.location);
    else tell(body.message);
  })
  .catch(() => tell(${inScript(sentence`The server has gone. Ask the assistant to show the page again, or start “${ownCommand('page')}” again.`)}));
</script>
</html>
`;

/** A text in a script of a document: nothing in it ends the script. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const PLACEHOLDER = `${HEAD}
<main>
<p>The views of this page are not built. Run <code>npm run build</code>.</p>
</main>
</html>
`;
