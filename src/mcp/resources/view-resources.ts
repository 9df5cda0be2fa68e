import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Workspace } from '../../app/workspace.ts';
import { VideoHostingError } from '../../errors.ts';
import type { PageResponse } from '../../page/api-messages.ts';
import { isDownload, VIEW_DATA_URI } from '../../page/contract.ts';
import { VIEW_TYPE } from '../chat-view.ts';

// What the view in a conversation consists of. None of it is listed: a client reads it for the view, a model has the tools.

/** The document, as the build made it. */
export async function chatDocument() {
  const { loadDocument } = await import('../../page/server/document.ts');
  const text = await loadDocument(join(import.meta.dirname, 'chat.html'));
  return { mimeType: VIEW_TYPE, text, _meta: { ui: { prefersBorder: true } } };
}

/** The data of a view as the approval page has it, by the address of the page's API. It only reads. */
export async function viewData(uri: string, { pageDeps }: Workspace, signal: AbortSignal) {
  const { path, query } = addressOf(uri.slice(VIEW_DATA_URI.length));
  // A file is for a person’s browser.
  if (!SHOWN.includes(path[0] ?? '') || isDownload(path)) return undefined;
  const { createApi } = await import('../../page/api/api.ts');
  const { PageProblem } = await import('../../page/page-problem.ts');
  const { contentType, body } = await createApi(pageDeps)({ method: 'GET', path, query, body: {}, token: '', signal }).catch(
    (error: unknown): PageResponse => {
      throw error instanceof PageProblem ? new VideoHostingError('not_found', error.message) : error;
    },
  );
  if (body instanceof Readable) return undefined;
  if (body.length > MAX_BYTES) throw new VideoHostingError('not_found', 'This is too large for a message: the approval page shows it.');
  const [mimeType = contentType] = contentType.split(';');
  return typeof body === 'string' ? { mimeType, text: body } : { mimeType, blob: body.toString('base64') };
}

/** Without a path where the text is no address. */
function addressOf(text: string): { readonly path: readonly string[]; readonly query: URLSearchParams } {
  try {
    const { pathname, searchParams: query } = new URL(text, 'http://views/');
    return { path: pathname.split('/').slice(1).map(decodeURIComponent), query };
  } catch {
    return { path: [], query: new URLSearchParams() };
  }
}

const SHOWN = ['changes', 'channels', 'reports'];

/** As JSON, in one message; the protocol's limit is 10 MiB. */
const MAX_BYTES = 7 * 1_024 * 1_024;
