import { CONFIRM_MODES, type ConfirmMode, type ConfirmRoute } from '../../../config/confirm-routes.ts';
import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import { formRoute } from './form.ts';
import { linkRoute } from './link.ts';
import { neverRoute } from './never.ts';
import { pageRoute } from './page.ts';
import type { Route, Waits, Ways } from './route.ts';
import { tokenRoute } from './token.ts';
import { waitRoute } from './wait.ts';

/** All that differs between the ways to confirm a change is asked of these objects, and, of how each asks, of `ask.ts`. */
const ROUTES = {
  form: formRoute,
  page: pageRoute,
  token: tokenRoute,
  wait: waitRoute,
  never: neverRoute,
  link: linkRoute,
} as const satisfies { readonly [Name in ConfirmRoute]: Route & { readonly name: Name } };

type Routes = typeof ROUTES;
type WithWaits<W> = { [Name in ConfirmRoute]: Routes[Name] extends { readonly waits: W } ? Name : never }[ConfirmRoute];
/** A way in which a plan waits for a person’s answer. */
export type AskingRoute = WithWaits<Waits>;

/** Those in which a person looks when they like. */
export type LaterRoute = WithWaits<{ readonly isForLater: true }>;

/** Whether what waits in a way may wait on disk. */
const isOnDisk = (waits: Waits | undefined): boolean => waits?.stores.includes('disk') === true;
/** Those of which a process that is started later finds what waits. */
export const DISK_ROUTES = Object.values<Route>(ROUTES).flatMap(
  ({ name, waits }) => (isOnDisk(waits) ? [name as AskingRoute] : []), // it has `waits`
);

export const waitsOf = (route: AskingRoute): Waits => ROUTES[route].waits;
export const waitsOnDisk = (route: AskingRoute): boolean => isOnDisk(waitsOf(route));

const routesOf = (mode: ConfirmMode): readonly Route[] => CONFIRM_MODES[mode].map((name) => ROUTES[name]);

/** The ways that work here, in the order in which they are tried. With none, the change is refused. */
export function routesFor(mode: ConfirmMode, ways: Ways): readonly Route[] {
  const routes = routesOf(mode);
  const hasOthers = routes.length > 1;
  return routes.filter((route) => route.works(ways) === true && !(hasOthers && route.hasFailed(ways)));
}

/** Whether a change may be confirmed by what an assistant sends itself. */
export const isByAssistant = ({ waits }: Route): boolean => waits?.isByAssistant === true;
export const givesTokens = (mode: ConfirmMode): boolean => routesOf(mode).some(isByAssistant);

/** How changes are confirmed with a value of the setting, whatever the client and the machine. */
export function confirmationText(mode: ConfirmMode): string {
  const words = routesOf(mode).map((route) => route.words);
  const texts = words.map(({ how, needs }) => (needs === undefined ? how : `${how} (if ${needs.what})`));
  return [...texts, ...(words.at(-1)?.needs === undefined ? [] : ['refused'])].join('; else ');
}

/** Why a change is refused where the only way that the setting allows is not there; with what is known of why, where ways are given. */
export function withoutRoute(mode: ConfirmMode, ways?: Ways): Sentence {
  const [route] = routesOf(mode);
  const needs = route?.words.needs;
  const because = sentence`VIDEO_HOSTING_CONFIRM is ${mode}${needs === undefined ? '' : sentence`, and ${needs.without}`}.`;
  const why = ways && route?.works(ways);
  return why === undefined || why === true || why === needs?.without ? because : joined([because, why]);
}

/** What to set where the only way that the setting allows is not there. */
export const hintWithout = (mode: ConfirmMode): Sentence | undefined => routesOf(mode)[0]?.words.ifMissing;

/** Whether the approval page shows it: what is asked in the chat or in a form has its answer there. */
export const isOnPage = ({ route }: { readonly route: AskingRoute }): boolean => waitsOf(route).isOnPage;

/** The ways that the setting allows before one of them. */
export const routesBefore = (mode: ConfirmMode, { name }: Route): readonly Route[] =>
  routesOf(mode).slice(
    0,
    routesOf(mode).findIndex((route) => route.name === name),
  );
