import type { ComponentChildren } from 'preact';
import { Typeset } from '../parts/typeset.tsx';

interface Props {
  readonly address: string;
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One record in a list of its kind: its name, which leads to it, and what is known of it. Ids are on the page that it leads to. */
export function ListItem({ address, name, children }: Props) {
  return (
    <li class="stack entry">
      <a href={address} class="entry-name">
        <Typeset text={name} hasIds={false} />
      </a>
      <span class="cluster small">{children}</span>
    </li>
  );
}
