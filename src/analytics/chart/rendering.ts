import type { ChartKind } from './contract.ts';
import type { Frame } from './frame.ts';

export interface Drawn {
  /** Not always the kind that was asked for; `notes` say why. */
  readonly kind: ChartKind;
  readonly frame: Frame;
  /** All rows, where not each of them has a place of its own in the frame. */
  readonly whole?: Frame;
  /** What is left out, and what is drawn in another way than asked for. */
  readonly notes: readonly string[];
}

export interface Picture {
  readonly png: Buffer;
  readonly drawn: Drawn;
}

/** What the renderer's process answers; the picture is in base64. */
export type Rendering =
  | { readonly png: string; readonly drawn: Drawn }
  | { readonly failure: { readonly kind: 'unavailable' | 'failed'; readonly message: string } };
