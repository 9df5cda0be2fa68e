import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

/** Of every response: nothing is cached, framed, guessed by its bytes or given to other origins, and nothing may be loaded or run. */
export function responseHeaders(contentType: string, rules: readonly string[] = []): OutgoingHttpHeaders {
  return {
    'content-type': contentType,
    'content-security-policy': ["default-src 'none'", "frame-ancestors 'none'", ...rules].join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
  };
}

/** Of a document: the scripts and styles that stand in it may run, and no others. */
export const documentHeaders = (html: string): OutgoingHttpHeaders =>
  responseHeaders('text/html; charset=utf-8', [
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);

function hashes(html: string, tag: 'script' | 'style'): string {
  const texts = [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'gi'))].map(([, text = '']) => text);
  const found = texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return found.length === 0 ? "'none'" : found.join(' ');
}
