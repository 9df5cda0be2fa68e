'use strict';
/**
 * Embedded ClickHouse behind the HTTP interface, as far as our client uses it: `node chdb-front.cjs '{"chdb": …, "folder": …}'`.
 * Prints its port. One data folder per process and one session per request, which keeps settings and parameters apart.
 *
 * The embedded engine has one user, so another user is another process: `POST /reader` with a configuration copies the data
 * and starts a process on the copy, which then answers the queries of `reader`.
 */
const { spawn } = require('node:child_process');
const { cpSync, rmSync } = require('node:fs');
const { createServer, request: send } = require('node:http');
const { basename } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const { chdb, folder, config } = JSON.parse(process.argv[2]);
const { Session } = require(chdb);

const SESSIONS = 4;
/** Parameters of the HTTP interface that are no settings of the engine. */
const NO_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'wait_end_of_query',
  'user',
  'password',
  'default_format',
  'cancel_http_readonly_queries_on_client_close',
]);

const open = () => new Session(folder, config === undefined ? {} : { connectionArgs: [`--config-file=${config}`] });
const free = Array.from({ length: SESSIONS }, open);
const waiting = [];
const take = () => (free.length > 0 ? Promise.resolve(free.pop()) : new Promise((resolve) => waiting.push(resolve)));
const give = (session) => (waiting.length > 0 ? waiting.shift()(session) : free.push(session));

const text = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

async function bodyOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Tab-separated escapes, as the HTTP interface takes parameters. */
const unescaped = (value) =>
  value.replace(/\\(.)/gs, (_, letter) => ({ t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' })[letter] ?? letter);

/** The fields of a multipart form, in which long parameters are sent; undefined for another body. */
function fieldsOf({ headers }, body) {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\r\n\r\n');
      return [/ name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '', part.slice(end + 4, -2)];
    }),
  );
}

async function run(request) {
  const { searchParams } = new URL(request.url, 'http://127.0.0.1');
  const sent = await bodyOf(request);
  const fields = fieldsOf(request, sent);
  for (const [key, value] of fields ?? []) if (key !== 'query') searchParams.append(key, value);
  const body = fields === undefined ? sent : (fields.get('query') ?? '');
  const query = searchParams.get('query');
  const statement = query === null ? body : `${query}\n${body}`;
  const session = await take();
  try {
    const before = [];
    const params = {};
    for (const [key, value] of searchParams) {
      if (key.startsWith('param_')) params[key.slice(6)] = unescaped(value);
      else if (!NO_SETTINGS.has(key)) before.push(`SET ${key} = ${text(value)}`);
    }
    for (const line of before) await session.queryAsync(line, {});
    // The default format of the HTTP interface.
    const format = { format: 'TabSeparated' };
    const made =
      Object.keys(params).length === 0 ? session.queryAsync(statement, format) : session.queryBindAsync(statement, params, format);
    const result = await made;
    return Buffer.isBuffer(result)
      ? result
      : typeof result === 'string'
        ? result
        : Buffer.from(result.bytes?.() ?? result.buffer ?? result.toString());
  } finally {
    give(session);
  }
}

let readers = 0;
let readerPort;

const COPIES = 5;

/** Copies the data. If parts are merged or rewritten meanwhile, the copy is started again. */
async function copyData(copy) {
  const session = await take();
  try {
    await session.queryAsync('SYSTEM STOP MERGES', {});
    for (let tries = 1; ; tries += 1) {
      try {
        // Parts that are still being written have names with `tmp`.
        return cpSync(folder, copy, { recursive: true, filter: (path) => !basename(path).startsWith('tmp') });
      } catch (error) {
        if (error.code !== 'ENOENT' || tries >= COPIES) throw error;
        rmSync(copy, { recursive: true, force: true });
        await sleep(200 * tries);
      }
    }
  } finally {
    await session.queryAsync('SYSTEM START MERGES', {}).finally(() => give(session));
  }
}

async function startReader(readerConfig) {
  readers += 1;
  const copy = `${folder}-reader-${readers}`;
  await copyData(copy);
  const options = JSON.stringify({ chdb, folder: copy, config: readerConfig });
  const child = spawn(process.execPath, [__filename, options], { stdio: ['pipe', 'pipe', 'inherit'] });
  readerPort = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
}

const userOf = ({ headers }) =>
  Buffer.from(String(headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
    .toString('utf8')
    .split(':')[0];

function forward(request, response) {
  const { method, url, headers } = request;
  const there = send({ host: '127.0.0.1', port: readerPort, method, path: url, headers: { ...headers, authorization: '' } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  request.pipe(there);
}

const server = createServer((request, response) => {
  if (request.url === '/ping') return void response.end('Ok.\n');
  if (request.url === '/reader')
    return void bodyOf(request)
      .then(startReader)
      .then(() => response.end('Ok.\n'));
  if (userOf(request) === 'reader') return forward(request, response);
  run(request).then(
    (answer) => response.writeHead(200, { 'X-ClickHouse-Query-Id': 'none' }).end(answer),
    (error) => {
      const message = String(error.message).replace(/^Query failed: /, '');
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': /Code: (\d+)/.exec(message)?.[1] ?? '1' }).end(`${message}\n`);
    },
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume().on('end', () => process.exit());
