import type { ChartKind } from './contract.ts';
import type { Frame } from './frame.ts';
import type { StandIn } from './stand-ins.ts';

export interface Drawn {
  /** Not always the kind that was asked for; `notes` say why. */
  readonly kind: ChartKind;
  /** One for each panel, from the top; they have the same axes. */
  readonly frames: readonly Frame[];
  /** All rows, for each panel, where not each of them has a place of its own in the frames. */
  readonly wholes?: readonly Frame[];
  /** What is left out, and what is drawn in another way than asked for. */
  readonly notes: readonly string[];
  /** The picture shows these in the place of names that the frame has. */
  readonly standIns?: readonly StandIn[];
  /** Other words, as of the title, have letters that no font has, and are not in the picture. */
  readonly leavesWordsOut?: boolean;
}

export interface Picture {
  readonly png: Buffer;
  readonly drawn: Drawn;
}

/** What the renderer's process answers; the picture is in base64. */
export type Rendering =
  | { readonly png: string; readonly drawn: Drawn }
  | { readonly failure: { readonly kind: 'unavailable' | 'failed'; readonly message: string } };
