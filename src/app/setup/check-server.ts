import type { Dispatcher } from 'undici';
import { originText, readApiAddress } from '../../config/api-address.ts';
import { MCP_PATH } from '../../config/http-address.ts';
import type { ProxySettings } from '../../config/proxy.ts';
import { SETTINGS } from '../../config/settings.ts';
import { clientTokenProblem } from '../../people/secrets.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { createConnections } from '../../service/connections.ts';
import { createServiceClock } from '../../service/service-clock.ts';
import { inQuotes, sentence, word, wordList } from '../../text/sentence.ts';
import { serverClockFinding } from './check-clock.ts';
import { type Finding, fine, note, wrong } from './finding.ts';
import { transportProblem } from './transport-problem.ts';

export interface ServerAddress {
  /** `https://videos.example.com` */
  readonly url: string;
  /** Undefined where none is known: what takes one is not tried then. */
  readonly token: string | undefined;
  readonly proxy?: ProxySettings | undefined;
}

/** What came of trying a server for several people. */
export interface ServerCheck {
  readonly findings: readonly Finding[];
  /** Whether the server answered, and knows nobody with that token. */
  readonly isTokenRefused: boolean;
}

/** Of each request. */
const LIMIT_MS = 15_000;
const MAX_BYTES = 2_000_000;
/** More than there are. */
const MAX_ROLES = 10;

interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

type Ask = (path: string, request?: { readonly token?: string | undefined; readonly body?: object }) => Promise<Answer>;

/** What is told of a step, and whether those after it make sense. */
interface Step {
  readonly findings: readonly Finding[];
  readonly isEnd?: true;
}

/** Tries a server for several people from here as a client of theirs: each thing that is needed, in the order in which it is. */
export async function checkServer({ url, token, proxy }: ServerAddress, call: AbortSignal): Promise<ServerCheck> {
  const api = readApiAddress(url);
  if ('problem' in api) return { findings: [wrong('Address', sentence`${inQuotes(url)} ${api.problem}`, ADDRESS)], isTokenRefused: false };
  const connections = createConnections({ connectMs: LIMIT_MS, proxy });
  const clock = createServiceClock();
  const ask: Ask = async (path, { token: sent, body } = {}) => {
    const { signal, release } = limitedSignal(LIMIT_MS, call);
    try {
      const dispatcher = await connections.of(api, 'fresh');
      const sentMs = Date.now();
      const response = await dispatcher.request({
        ...{ origin: api.origin, path, method: body === undefined ? 'GET' : 'POST', signal },
        headers: {
          accept: body === undefined ? '*/*' : 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(sent === undefined ? {} : { authorization: `Bearer ${sent}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const header = (name: string) => [response.headers[name]].flat()[0];
      if (header('age') === undefined) clock.note(header('date'), sentMs, Date.now());
      return { status: response.statusCode, header, text: await textOf(response) };
    } finally {
      release();
    }
  };
  try {
    const findings: Finding[] = [];
    let isEnd = false;
    for (const step of [tryAddress, tryReadiness, tryHost] as const) {
      if (isEnd) break;
      const told = await step(url, ask);
      findings.push(...told.findings);
      isEnd = told.isEnd === true;
    }
    const ofToken = isEnd ? { findings: [], isRefused: false } : await tryToken(ask, token);
    const ofClock = serverClockFinding(clock.differenceMs() ?? 0);
    return { findings: [...findings, ...ofToken.findings, ...(ofClock === undefined ? [] : [ofClock])], isTokenRefused: ofToken.isRefused };
  } catch (thrown) {
    if (call.aborted) throw thrown;
    const { about, detail, remedy } = transportProblem(thrown);
    return { findings: [wrong(about, sentence`${originText(new URL(url))}: ${detail}`, remedy)], isTokenRefused: false };
  } finally {
    await connections.close();
  }
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const ADDRESS = sentence`Take the address that whoever runs the server names: that of ${SETTINGS.publicUrl.variable} there.`;
const PROXY = sentence`Have the proxy before the server pass on every path and header as it is (deploy/ has configurations).`;
const START = sentence`Start it (serve --http), and have the proxy lead to where it listens (${SETTINGS.httpListen.variable} there).`;

async function tryAddress(url: string, ask: Ask): Promise<Step> {
  const { status, header, text } = await ask('/healthz');
  const at = originText(new URL(url));
  if (status === 200 && /^The process runs\.\s*$/.test(text)) {
    const secured = url.startsWith('https:') ? ', with a certificate that is trusted here' : '';
    return { findings: [fine('Address', sentence`${at} answers${secured}.`)] };
  }
  const location = header('location');
  if (status >= 300 && status < 400) {
    const there = location !== undefined && URL.canParse(location, url) ? originText(new URL(location, url)) : sentence`elsewhere`;
    return end(wrong('Address', sentence`${at} leads on to ${there}, which is not followed.`, ADDRESS));
  }
  if (status === 503 && text.startsWith('This server is being')) return end(wrong('Server', word(text.trim(), 200), AGAIN));
  if (status === 502 || status === 503 || status === 504)
    return end(wrong('Server', sentence`A proxy answers at ${at} (status ${status}), and the server behind it does not.`, START));
  return end(wrong('Address', sentence`What answers at ${at} is no server of this kind (status ${status}).`, ADDRESS));
}

const AGAIN = sentence`Try again in a moment.`;
const end = (finding: Finding): Step => ({ findings: [finding], isEnd: true });

async function tryReadiness(_url: string, ask: Ask): Promise<Step> {
  const { status } = await ask('/readyz');
  if (status === 200) return { findings: [fine('Server', sentence`its account is open, and its folder can be written.`)] };
  const detail = sentence`it runs and is not ready (status ${status}).`;
  return { findings: [wrong('Server', detail, sentence`Its log says why; doctor on its machine tells what to do.`)] };
}

/** Without a token: whether it answers for this host, and asks for one. */
async function tryHost(url: string, ask: Ask): Promise<Step> {
  const { status, header, text } = await ask(MCP_PATH, { body: LIST_TOOLS });
  const { host } = new URL(url);
  if (status === 401 && /^Bearer\b/i.test(header('www-authenticate') ?? ''))
    return { findings: [fine('Host', sentence`it answers for ${word(host)}, and to nobody without a token.`)] };
  if (status === 421) {
    const [, right] = /for the Host (\S+) alone/.exec(text) ?? [];
    const own = right === undefined ? sentence`` : sentence`: ${word(right)}`;
    const remedy = sentence`Where that is the right name, use it. Else set ${SETTINGS.publicUrl.variable} there to ${originText(new URL(url))}, or have the proxy pass on the Host as it came.`;
    return end(wrong('Host', sentence`it answers for another one than ${word(host)}${own}.`, remedy));
  }
  return end(wrong('Host', sentence`${MCP_PATH} does not answer as a server of this kind does (status ${status}).`, PROXY));
}

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } as const;
const CHECK_SETUP = { ...LIST_TOOLS, method: 'tools/call', params: { name: 'check_setup', arguments: {} } } as const;

async function tryToken(
  ask: Ask,
  token: string | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly isRefused: boolean }> {
  const about = SETTINGS.clientToken.title;
  const told = (finding: Finding, isRefused = false) => ({ findings: [finding], isRefused });
  if (token === undefined)
    return told(note(about, sentence`not tried: none is known here.`, sentence`Set ${SETTINGS.clientToken.variable} to have it tried.`));
  const problem = clientTokenProblem(token);
  if (problem !== undefined)
    return told(wrong(about, sentence`it ${problem}`, sentence`Set ${SETTINGS.clientToken.variable} to that.`), true);
  const { status, header, text } = await ask(MCP_PATH, { token, body: LIST_TOOLS });
  if (status === 401 && !/error=/.test(header('www-authenticate') ?? ''))
    return told(wrong(about, sentence`it does not get to the server: something on the way takes it out.`, PROXY));
  if (status === 401)
    return told(
      wrong(about, sentence`the server knows nobody with it.`, sentence`Have whoever runs it make new ones: people rotate NAME.`),
      true,
    );
  const wait = header('retry-after');
  if (status === 429)
    return told(wrong(about, sentence`not tried: too much was asked at once.`, sentence`Try again in ${word(wait ?? 'some')} seconds.`));
  const { tools } = resultIn(text);
  if (status !== 200 || !Array.isArray(tools))
    return told(wrong(about, sentence`it is taken, and no tools are listed (status ${status}).`, PROXY));
  if (tools.length === 0)
    return told(
      wrong(
        about,
        sentence`it is taken, and whoever has it may do nothing: no tools are listed.`,
        sentence`Have whoever runs it set the roles anew: people roles NAME --roles read.`,
      ),
    );
  const { person, mainApi } = fieldsIn(resultIn((await ask(MCP_PATH, { token, body: CHECK_SETUP })).text).structuredContent);
  const { name, roles } = fieldsIn(person);
  const who =
    typeof name === 'string' && Array.isArray(roles)
      ? sentence`of ${word(name)}, who has ${wordList(roles.slice(0, MAX_ROLES).map(String))}; `
      : sentence``;
  const { ok, detail } = fieldsIn(mainApi);
  const account =
    typeof ok !== 'boolean'
      ? []
      : ok
        ? [fine('Account', sentence`the server reaches it.`)]
        : [wrong('Account', sentence`the server does not get to it: ${inQuotes(String(detail), 500)}`, AT_SERVER)];
  return { findings: [fine(about, sentence`${who}${tools.length} tools are listed.`), ...account], isRefused: false };
}

const AT_SERVER = sentence`Have whoever runs it see to that: doctor on its machine tells what to do.`;

/** The result of an answer, which comes as JSON or as an event. */
function resultIn(text: string): Readonly<Record<string, unknown>> {
  const events = text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  const messages = (events.length > 0 ? events : [text]).map((one) => fieldsIn(parseJsonOrUndefined(one)));
  return fieldsIn(messages.find(({ result }) => result !== undefined)?.result);
}
