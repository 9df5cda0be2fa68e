import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const CLIENT_INFO = { name: 'raw-client', version: '1.0.0' };
/** The newest revision of each era of the protocol. */
export const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' };

/**
 * Starts a server and speaks the protocol to it line by line, without any SDK in between. In the modern era each
 * request carries its envelope; in the legacy one a connection begins with `initialize`.
 */
export function startRawClient(command, args, { era, env = {}, timeoutMs = 60_000 }) {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, VIDEO_HOSTING_BROWSER: 'none', ...env },
  });
  const waiting = new Map();
  const strayLines = [];
  let stderr = '';
  let lastId = 0;
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parsed(line);
    if (message === undefined) strayLines.push(line);
    const waiter = waiting.get(message?.id);
    waiting.delete(message?.id);
    waiter?.(message);
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISIONS.modern,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  /** The result of a request; throws what the server answered instead. */
  async function request(method, params = {}, inEra = era) {
    lastId += 1;
    const id = lastId;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params: inEra === 'modern' ? { ...params, _meta: envelope } : params });
    const { result, error } = await within(timeoutMs, method, Promise.race([answer, ended.then((end) => Promise.reject(endedEarly(end)))]));
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
  const endedEarly = (end) => new Error(`The server ended early: ${JSON.stringify(end)} ${stderr}`);

  /** Asks, whatever the era, as a client that knows both does first. */
  const probe = () => request('server/discover', {}, 'modern');

  /** Opens the connection as a client of that era does. */
  async function open() {
    if (era === 'modern') return probe();
    const result = await request('initialize', { protocolVersion: REVISIONS.legacy, capabilities: {}, clientInfo: CLIENT_INFO });
    send({ method: 'notifications/initialized' });
    return result;
  }

  /** Ends the server's input, as a client that leaves does; answers how the server ended. */
  async function close() {
    child.stdin.end();
    const end = await within(timeoutMs, 'leaving', ended).catch(() => undefined);
    if (end === undefined) child.kill('SIGKILL');
    return end;
  }

  return { child, probe, open, request, close, strayLines, stderr: () => stderr };
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
