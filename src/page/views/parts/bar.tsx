import type { ComponentChildren } from 'preact';

interface Props {
  readonly label: string;
  /** What went wrong with the last press. */
  readonly error: string | undefined;
  /** What stands before the buttons. */
  readonly lead: ComponentChildren;
  /** The buttons. */
  readonly children: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly onEscape?: () => void;
}

/** What the person does about what is shown: always in sight. */
export function Bar({ label, error, lead, children, above, below, onEscape }: Props) {
  return (
    <section class="stack bar" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}>
      {error !== undefined && (
        <p class="bar-error" role="alert">
          {error}
        </p>
      )}
      {above}
      <div class="cluster bar-inner">
        {lead}
        <div class="cluster bar-buttons">{children}</div>
      </div>
      {below}
    </section>
  );
}
