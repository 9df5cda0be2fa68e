import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const CLIENT_INFO = { name: 'raw-client', version: '1.0.0' };
/** The newest revision of each era of the protocol. */
export const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' };

/** What each request of the modern era carries. */
export const envelope = (capabilities = {}) => ({
  'io.modelcontextprotocol/protocolVersion': REVISIONS.modern,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** What a server answered instead of a result. */
export class RpcError extends Error {
  name = 'RpcError';

  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Speaks the protocol over any connection, without any SDK: `send` takes a message, and each that arrives is given to `take`. In the
 * modern era each request carries its envelope; in the legacy one a connection begins with `initialize`.
 */
export function converse(send, { era, capabilities = {} }) {
  const waiting = new Map();
  let lastId = 0;

  /** The result of a request; throws what the server answered instead. */
  async function request(method, params = {}, { onProgress, signal } = {}) {
    lastId += 1;
    const id = lastId;
    const meta = { ...(onProgress && { progressToken: id }), ...(era === 'modern' && envelope(capabilities)) };
    const { result, error } = await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, onProgress });
      signal?.addEventListener('abort', () => {
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'Cancelled by the user.' } });
        reject(new RpcError({ code: 0, message: 'Cancelled.' }));
      });
      send({ jsonrpc: '2.0', id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } });
    }).finally(() => waiting.delete(id));
    if (error !== undefined) throw new RpcError(error);
    return result;
  }

  function take({ id, method, params, ...answer }) {
    if (method === undefined) waiting.get(id)?.resolve(answer);
    else if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params;
      waiting.get(progressToken)?.onProgress?.(progress);
    }
  }

  /** Opens the connection as a client of that era does. */
  async function open() {
    if (era === 'modern') return request('server/discover');
    const result = await request('initialize', { protocolVersion: REVISIONS.legacy, capabilities, clientInfo: CLIENT_INFO });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result;
  }

  return { request, take, open };
}

/** Starts a server and speaks the protocol to it line by line. */
export function startRawClient(command, args, { era, env = {}, timeoutMs = 60_000 }) {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, VIDEO_HOSTING_BROWSER: 'none', ...env },
  });
  const strayLines = [];
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const conversation = converse((message) => child.stdin.write(`${JSON.stringify(message)}\n`), { era });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parsed(line);
    if (typeof message !== 'object' || message === null) strayLines.push(line);
    else conversation.take(message);
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const endedEarly = (end) => new Error(`The server ended early: ${JSON.stringify(end)} ${stderr}`);

  /** What the server answers in time. */
  const inTime = (what, answer) => within(timeoutMs, what, Promise.race([answer, ended.then((end) => Promise.reject(endedEarly(end)))]));
  const request = (method, params) => inTime(method, conversation.request(method, params));
  const open = () => inTime('opening', conversation.open());

  /** Ends the server's input, as a client that leaves does; answers how the server ended. */
  async function close() {
    child.stdin.end();
    const end = await within(timeoutMs, 'leaving', ended).catch(() => undefined);
    if (end === undefined) child.kill('SIGKILL');
    return end;
  }

  return { child, open, request, close, strayLines, stderr: () => stderr };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer within ${ms} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
