import type { ConfirmMode } from '../../config/settings.ts';

/** A way to confirm a change. */
export type Route = 'form' | 'token' | 'never';

/** The ways that work here, in the order in which they are tried. With none, the change is refused. */
export function routesFor(mode: ConfirmMode, forms: { readonly areDeclared: boolean; readonly areUnseen: boolean }): readonly Route[] {
  if (mode === 'never' || mode === 'token') return [mode];
  if (mode === 'form') return forms.areDeclared ? ['form'] : [];
  return forms.areDeclared && !forms.areUnseen ? ['form', 'token'] : ['token'];
}
