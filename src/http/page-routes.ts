import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_API_PATH } from '../config/http-address.ts';
import { json, type PageResponse, sendPage } from '../page/api-messages.ts';
import { isDownload, PAGE_TOKEN, PAGE_USE, PAGE_VIEWS, READ_LIST } from '../page/contract.ts';
import { PageProblem } from '../page/page-problem.ts';
import { checkPurpose } from '../page/server/check-request.ts';
import { documentHeaders, responseHeaders } from '../page/server/headers.ts';
import { MAX_BODY_BYTES, MAX_FILE_BODY_BYTES, readBody } from '../page/server/read-body.ts';
import type { SharedPage } from '../page/shared-page.ts';
import type { People } from '../people/people.ts';
import { SECRET_PREFIXES } from '../people/secrets.ts';
import { bodyText } from '../platform/body-text.ts';
import { decodedOrUndefined } from '../platform/decode-component.ts';
import { asWorkOf } from '../platform/whose-work.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { answerClientAccess, type ClientAccessOptions } from './client-access.ts';
import type { FailedCredentials } from './failed-credentials.ts';
import type { Exchange, Route } from './http-server.ts';
import type { InFlight, PersonLimits } from './person-limits.ts';
import { HttpRefusal } from './refusal.ts';
import { announcedBytes } from './request-size.ts';
import { type BeforeSignIn, type SignInForm, signInDocument } from './sign-in-document.ts';
import { cookieIn, cookieOf, isTokenOf, noCookie, type SignIn, type SignIns } from './sign-ins.ts';

export interface PageRoutesOptions {
  readonly publicUrl: string;
  readonly signIns: SignIns;
  readonly everybody: People['all'];
  /** Of the account, which may have moved to another folder since. */
  readonly page: () => Promise<SharedPage>;
  readonly limits: PersonLimits;
  readonly failed: FailedCredentials;
  readonly clientAccess: ClientAccessOptions;
}

const APP = '/app/';
/** What is logged as the id of a change. */
const CHANGE_ID = /^chg-[\w-]{1,56}$/;
const CHANGE_PATH = /^\/changes\/[\w-]{1,60}$/;
/** A view of the page, as links name it: the fragment by which the page itself names it would not outlive the sign-in. */
const VIEW_PATH = /^\/app\/(?:changes|channels|reports|connect)(?:\/[\w.~%-]{1,200})?$/;
const MAX_FORM_BYTES = 8_192;

/** The page for people who signed in with their page key; a client token opens none of it. */
export function pageRoutes(options: PageRoutesOptions): readonly Route[] {
  return [
    { path: '/sign-in', handle: (exchange) => signIn(options, exchange) },
    { path: '/sign-out', handle: (exchange) => signOut(options, exchange) },
    { path: CHANGE_PATH, handle: (exchange) => openChange(options, exchange) },
    { path: /^\/(?:app)?$/, handle: (exchange) => leadToApp(exchange) },
    { path: VIEW_PATH, handle: (exchange) => openView(options, exchange) },
    { path: /^\/app\//, handle: (exchange) => openApp(options, exchange) },
  ];
}

function signedIn({ signIns, publicUrl, limits }: PageRoutesOptions, { request, address, entry }: Exchange): SignIn | undefined {
  const secret = cookieIn(request, publicUrl);
  const found = signIns.find(secret);
  if (found === undefined) return undefined;
  if (isUse(request, address, found)) signIns.use(secret);
  entry.person = found.person.name;
  const waitS = limits.take(found.person.id);
  if (waitS !== undefined) throw new HttpRefusal(429, TOO_MANY, { 'retry-after': String(waitS) });
  return found;
}

/**
 * Whether a person does something: opens the page or a link, presses, or uses the window, which its page tells. An open window asks for things
 * by itself wherever others work, and nothing of that keeps its sign-in; nor does what doesn’t say for what it is.
 */
const isUse = ({ method, headers }: IncomingMessage, { pathname }: URL, found: SignIn): boolean =>
  !pathname.startsWith(PAGE_API_PATH) ||
  (isTokenOf(found, headers['x-page-token']) && (method === 'POST' || headers[PAGE_USE] !== undefined));

const TOO_MANY: Sentence = sentence`Too many requests of this page. Try again in a moment.`;

/** Leads to the change, through the sign-in. Who isn’t signed in isn’t told whether there is one. */
function openChange(options: PageRoutesOptions, exchange: Exchange): void {
  leadThere(options, exchange, `${APP}${PAGE_VIEWS.change}${exchange.address.pathname.slice('/changes/'.length)}`);
}

function leadToApp({ request, response }: Exchange): void {
  assertMethod(request, 'GET');
  leadTo(response, APP);
}

const openView = (options: PageRoutesOptions, exchange: Exchange): void =>
  leadThere(options, exchange, `${APP}#/${exchange.address.pathname.slice(APP.length)}`);

function leadThere(options: PageRoutesOptions, exchange: Exchange, there: string): void {
  assertMethod(exchange.request, 'GET');
  const isSignedIn = signedIn(options, exchange) !== undefined;
  leadTo(exchange.response, isSignedIn ? there : signInAddress(options, exchange.request, { to: exchange.address.pathname }));
}

/** Of the form, which says that a sign-in has ended where the browser has the cookie of one. */
function signInAddress({ publicUrl }: PageRoutesOptions, request: IncomingMessage, query: { readonly to?: string } = {}): string {
  const hadOne = cookieIn(request, publicUrl) !== undefined;
  const all = new URLSearchParams({ ...query, ...(hadOne && { [BEFORE]: 'ended' satisfies BeforeSignIn }) });
  return `/sign-in${all.size === 0 ? '' : `?${all}`}`;
}

const BEFORE = 'before';

async function signIn(options: PageRoutesOptions, exchange: Exchange): Promise<void> {
  const { request, response, address } = exchange;
  assertMethod(request, 'GET', 'POST');
  const answer = (status: number, to: string, problem?: Sentence, headers: Readonly<Record<string, string>> = {}): void =>
    sendForm(response, status, { ...formFor(to, options), before: address.searchParams.get(BEFORE), problem }, headers);
  if (request.method !== 'POST') return answer(200, targetIn(address.searchParams.get('to')));
  // A form of another site must not sign somebody in as somebody else.
  const site = request.headers['sec-fetch-site'];
  if (request.headers.origin === undefined || (site !== undefined && site !== 'same-origin'))
    throw new HttpRefusal(403, sentence`Refused: the request does not tell that it comes from the form of this server.`);
  const form = new URLSearchParams(await formOf(request));
  const to = targetIn(form.get('to'));
  const key = (form.get('key') ?? '').trim();
  const entered = options.signIns.enter(key);
  if (typeof entered !== 'string') {
    exchange.entry.person = entered.person.name;
    // The page takes a token from the sign-in alone, so it has to see where it comes from.
    const headers = { 'set-cookie': cookieOf(entered.secret, options.publicUrl), 'referrer-policy': 'same-origin' };
    return leadTo(response, withToken(to, entered.token), headers);
  }
  if (entered === 'may-not-read') return answer(403, to, NO_ROLES);
  const waitS = options.failed.add(request.socket.remoteAddress ?? '');
  if (waitS !== undefined) return answer(429, to, FAILED, { 'retry-after': String(waitS) });
  answer(401, to, key.startsWith(SECRET_PREFIXES.clientToken) ? CLIENT_TOKEN : WRONG_KEY);
}

const WRONG_KEY: Sentence = sentence`That is nobody’s page key: it was made anew, its person was removed, or it never was one. Ask whoever runs this server for a new one.`;
const CLIENT_TOKEN: Sentence = sentence`That is a client token, for MCP clients. Here the page key is needed (vhp_…).`;
const NO_ROLES: Sentence = sentence`Your key is right, but your roles here count for nothing: ask whoever runs this server to set them anew (people roles).`;
const FAILED: Sentence = sentence`Too many wrong keys came from this address. Try again in a minute.`;

/** Where a sign-in leads: a change, a view, or the page. Nothing that was put into a link leads elsewhere. */
const targetIn = (to: string | null): string => (to !== null && (CHANGE_PATH.test(to) || VIEW_PATH.test(to)) ? to : APP);

/** Where the view is that a path leads to, with the page’s token behind it, which no server is sent. */
function withToken(to: string, token: string): string {
  const view = CHANGE_PATH.test(to)
    ? `${PAGE_VIEWS.change}${to.slice('/changes/'.length)}`
    : to === APP
      ? '#'
      : `#/${to.slice(APP.length)}`;
  return `${APP}${view}${PAGE_TOKEN}${token}`;
}

function signOut({ signIns, publicUrl }: PageRoutesOptions, { request, response }: Exchange): void {
  assertMethod(request, 'POST');
  const secret = cookieIn(request, publicUrl);
  const found = signIns.find(secret);
  if (found !== undefined && (request.headers.origin === undefined || !isTokenOf(found, request.headers['x-page-token'])))
    throw new HttpRefusal(403, NO_TOKEN);
  signIns.leave(secret);
  send(response, json({ location: `/sign-in?${BEFORE}=${'sign-out' satisfies BeforeSignIn}` }), { 'set-cookie': noCookie(publicUrl) });
}

const NO_TOKEN: Sentence = sentence`The request was refused: it has no token of the page. Nothing was changed. Sign in again, in this browser.`;

async function openApp(options: PageRoutesOptions, exchange: Exchange): Promise<void> {
  const { request, response, address } = exchange;
  assertMethod(request, 'GET', 'POST');
  const rest = address.pathname.slice(APP.length);
  const found = signedIn(options, exchange);
  if (rest === '' && request.method === 'GET') {
    if (found === undefined) return leadTo(response, signInAddress(options, request));
    const html = await (await options.page()).document();
    response.writeHead(200, documentHeaders(html)).end(html);
    return;
  }
  try {
    await answerApi(options, exchange, rest, found);
  } catch (thrown) {
    if (!(thrown instanceof PageProblem)) throw thrown;
    const headers = thrown.status === 429 ? { 'retry-after': '1' } : {};
    throw new HttpRefusal(thrown.status, thrown.message, headers, thrown.again);
  }
}

const OTHER_WINDOW: Sentence = sentence`This window is not that of the sign-in, so nothing was read or changed for it: sign in again.`;
const SIGNED_OUT: Sentence = sentence`You are not signed in, or not any more. Sign in, and load this again.`;

async function answerApi(
  options: PageRoutesOptions,
  { request, response, address, entry }: Exchange,
  rest: string,
  found: SignIn | undefined,
): Promise<void> {
  if (found === undefined) throw new PageProblem(401, SIGNED_OUT);
  const path = rest.split('/').map((part) => decodedOrUndefined(part) ?? '');
  if (path.shift() !== 'api') throw new PageProblem(404, sentence`There is nothing at this address.`);
  const [what, id] = path;
  const resource = path.join('/');
  if (what === 'changes' && id !== undefined && CHANGE_ID.test(id)) entry.changeId = id;
  checkPurpose(request, isDownload(path) ? 'download' : 'api');
  const isPost = request.method === 'POST';
  // A browser can’t put it into the request for a stream, which tells what happens and has no file.
  if ((isPost || resource !== 'events') && !isTokenOf(found, request.headers['x-page-token'])) throw new PageProblem(401, OTHER_WINDOW);
  if (isPost) assertOwnPost(request);
  const { api, events } = await options.page();
  if (!isPost && resource === 'events') {
    begin(options.limits, found, response, { streams: 1 }, WINDOWS);
    endWith(options, request, response);
    return events.open(response);
  }
  const maxBytes = resource === READ_LIST ? MAX_FILE_BODY_BYTES : MAX_BODY_BYTES;
  const bytes = announcedBytes(request, maxBytes);
  if (options.limits.takeBytes(found.person.id, bytes) !== undefined) throw new PageProblem(429, TOO_MANY);
  begin(options.limits, found, response, { requests: 1, bytes }, TOO_MANY);
  const body = isPost ? await asWorkOf(found.person.id, () => readBody(request, maxBytes)) : {};
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const method = isPost ? 'POST' : 'GET';
  const { person } = found;
  if (isPost && resource === 'client/token' && options.limits.take(person.id, A_WHILE) !== undefined) throw new PageProblem(429, TOO_MANY);
  const access = await answerClientAccess(options.clientAccess, { isPost, path: resource, body, person });
  if (access !== undefined) {
    if (isPost) entry.outcome = 'token renewed';
    return send(response, json(access));
  }
  const answer = await options.limits.inTurn(person.id, async () => {
    // It was given up while it waited.
    if (gone.signal.aborted) throw new PageProblem(503, GIVEN_UP);
    return api({
      method,
      path,
      query: address.searchParams,
      body,
      signal: gone.signal,
      viewer: { ...person, everybody: options.everybody },
    });
  });
  if (isDownload(path) && answer.status === 200) entry.outcome = 'downloaded';
  send(response, answer);
}

const GIVEN_UP: Sentence = sentence`The request was given up before its turn came. Nothing was changed.`;

/** As many requests as are sent in half a second: to make a token writes the file of people, which all others look at. */
const A_WHILE = 10;
const WINDOWS: Sentence = sentence`You have the page open in too many windows: close some. This one is told of nothing until then.`;

/** Counts a request as in flight until its answer is read. Throws where too much of that person’s is already. */
function begin(limits: PersonLimits, { person }: SignIn, response: ServerResponse, added: InFlight, tooMany: Sentence): void {
  const end = limits.begin(person.id, added);
  if (end === undefined) throw new PageProblem(429, tooMany);
  response.once('close', end);
}

const LOOK_MS = 5_000;

/** Ends a stream of events soon after its sign-in: whoever was signed out, or removed, is told nothing more. */
function endWith({ signIns, publicUrl }: PageRoutesOptions, request: IncomingMessage, response: ServerResponse): void {
  const secret = cookieIn(request, publicUrl);
  const look = setInterval(() => {
    try {
      if (!signIns.isCurrent(secret)) response.end();
    } catch {
      // The file of people can’t be trusted now, so nobody is let in.
      response.end();
    }
  }, LOOK_MS);
  response.once('close', () => clearInterval(look));
}

/** Throws unless it is JSON and has an origin, which is looked at before. */
function assertOwnPost(request: IncomingMessage): void {
  if (request.headers.origin === undefined) throw new PageProblem(403, NO_TOKEN);
  if (request.headers['content-type']?.split(';')[0]?.trim() !== 'application/json')
    throw new PageProblem(415, sentence`The body must be JSON.`);
}

function assertMethod({ method = '' }: IncomingMessage, ...allowed: readonly string[]): void {
  if (!allowed.includes(method)) throw new HttpRefusal(405, sentence`That method is not understood here.`, { allow: allowed.join(', ') });
}

async function formOf(request: IncomingMessage): Promise<string> {
  const text = await bodyText(request, MAX_FORM_BYTES);
  if (text === undefined) throw new HttpRefusal(413, sentence`That is too long for a page key.`);
  return text;
}

function leadTo(response: ServerResponse, location: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(303, { ...responseHeaders('text/plain; charset=utf-8'), ...headers, location }).end();
}

const formFor = (to: string, { publicUrl }: PageRoutesOptions) => ({
  ...{ to, host: new URL(publicUrl).host },
  leadsTo: CHANGE_PATH.test(to) ? ('change' as const) : to === APP ? ('page' as const) : ('view' as const),
});

function sendForm(response: ServerResponse, status: number, form: SignInForm, headers: Readonly<Record<string, string>>): void {
  const html = signInDocument(form);
  const policy = String(documentHeaders(html)['content-security-policy']).replace("form-action 'none'", "form-action 'self'");
  // With no referrer at all, a form’s request would not tell its origin either.
  response
    .writeHead(status, { ...documentHeaders(html), 'content-security-policy': policy, 'referrer-policy': 'same-origin', ...headers })
    .end(html);
}

function send(response: ServerResponse, answer: PageResponse, headers: Readonly<Record<string, string>> = {}): void {
  sendPage(response, answer, { ...responseHeaders(answer.contentType), ...headers });
}
