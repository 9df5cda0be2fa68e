import { readFile } from 'node:fs/promises';
import { ownCommand } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';

/** The page's document from a file; a plain one where the file is not there, as when the program runs from its source. */
export const loadDocument = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => PLACEHOLDER);

const HEAD =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Approval page</title>';

/**
 * What the address with a code answers, whatever the code: it exchanges the code and goes on to the page. The browser comes
 * here from a file or from another program, so a cookie that is set for that very request would not be sent with the next.
 */
export const entrance = () => `${HEAD}
<p id="told">Opening the approval page …</p>
<script>
const told = document.getElementById('told');
fetch('/open', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code: location.pathname.split('/').pop() }) })
  .then(async (answer) => {
    const body = await answer.json();
    if (answer.ok) location.replace(body.location);
    else told.textContent = body.message;
  })
  .catch(() => { told.textContent = ${inScript(sentence`The server has gone. Ask the assistant to show the page again, or start “${ownCommand('page')}” again.`)}; });
</script>
</html>
`;

/** A text in a script of a document: nothing in it ends the script. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const PLACEHOLDER = `${HEAD}
<p>The views of this page are not built. Run <code>npm run build</code>.</p>
</html>
`;
