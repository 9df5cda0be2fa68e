import type { ConfirmMode } from '../../config/settings.ts';

/** A way to confirm a change. */
export type Route = 'form' | 'page' | 'token' | 'never';

export interface Ways {
  /** Whether the client declares forms, and is not known to draw none. */
  readonly forms: { readonly areDeclared: boolean; readonly areUnseen: boolean };
  /** Whether a browser can be opened for the approval page, and whether the last one never loaded it. */
  readonly page: { readonly hasBrowser: boolean; readonly isMissed: boolean };
}

/** The ways that work here, in the order in which they are tried. With none, the change is refused. */
export function routesFor(mode: ConfirmMode, { forms, page }: Ways): readonly Route[] {
  switch (mode) {
    case 'never':
    case 'token':
      return [mode];
    case 'form':
      return forms.areDeclared ? ['form'] : [];
    case 'page':
      return page.hasBrowser ? ['page'] : [];
    case 'ask':
      return [
        ...(forms.areDeclared && !forms.areUnseen ? (['form'] as const) : []),
        ...(page.hasBrowser && !page.isMissed ? (['page'] as const) : []),
        'token',
      ];
  }
}
