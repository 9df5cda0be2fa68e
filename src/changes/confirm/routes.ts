import { CONFIRM_MODES, type ConfirmMode, type ConfirmRoute } from '../../config/confirm-routes.ts';

export interface Ways {
  /** Whether the client declares forms, and is not known to draw none. */
  readonly forms: { readonly areDeclared: boolean; readonly areUnseen: boolean };
  /** Whether a browser can be opened for the approval page, and whether the last one never loaded it. */
  readonly page: { readonly hasBrowser: boolean; readonly isMissed: boolean };
}

/** The ways that work here, in the order in which they are tried. With none, the change is refused. */
export function routesFor(mode: ConfirmMode, { forms, page }: Ways): readonly ConfirmRoute[] {
  const routes: readonly ConfirmRoute[] = CONFIRM_MODES[mode];
  // Where another way is left, one that failed before is not tried again.
  const hasOthers = routes.length > 1;
  return routes.filter((route) => {
    if (route === 'form') return forms.areDeclared && !(hasOthers && forms.areUnseen);
    return route !== 'page' || (page.hasBrowser && !(hasOthers && page.isMissed));
  });
}
