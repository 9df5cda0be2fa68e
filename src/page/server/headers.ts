import type { OutgoingHttpHeaders } from 'node:http';

/** For everything that is no document: nothing may be loaded or run from it. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** Of every response: nothing is cached, framed, guessed by its bytes or given to other origins. */
export function responseHeaders(contentType: string, csp = NOTHING): OutgoingHttpHeaders {
  return {
    'content-type': contentType,
    'content-security-policy': csp,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
  };
}
