import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** An HTML document with the policy that lets run what stands in it, and nothing else. */
export interface PageDocument {
  readonly html: string;
  readonly csp: string;
}

/** The page's document from a file; a plain one where the file is not there, as when the program runs from its source. */
export async function loadDocument(file: string): Promise<PageDocument> {
  return documentOf(await readFile(file, 'utf8').catch(() => PLACEHOLDER));
}

export function documentOf(html: string): PageDocument {
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { html, csp: policy.join('; ') };
}

function hashes(html: string, tag: 'script' | 'style'): string {
  const texts = [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'gi'))].map(([, text = '']) => text);
  const found = texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return found.length === 0 ? "'none'" : found.join(' ');
}

const head = (title: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;

/**
 * What the address with a code answers, whatever the code: it exchanges the code and goes on to the page. The browser comes
 * here from a file or from another program, so a cookie that is set for that very request would not be sent with the next.
 */
export const ENTRANCE = documentOf(`${head('Approval page')}
<p id="told">Opening the approval page …</p>
<script>
const told = document.getElementById('told');
fetch('/open', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code: location.pathname.split('/').pop() }) })
  .then(async (answer) => {
    const body = await answer.json();
    if (answer.ok) location.replace(body.location);
    else told.textContent = body.message;
  })
  .catch(() => { told.textContent = 'The server has gone. Ask the assistant to show the page again.'; });
</script>
</html>
`);

const PLACEHOLDER = `${head('Approval page')}
<p>The views of this page are not built. Run <code>npm run build</code>.</p>
</html>
`;
