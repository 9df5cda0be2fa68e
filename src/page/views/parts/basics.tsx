import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useIsLast, useRoles } from '../data/page-context.tsx';
import { type StatusFacts, statusRow, type Tone } from './statuses.ts';
import { Typeset } from './typeset.tsx';
import { timeInWords } from './words.ts';

/** An id of the service, which nobody knows a video by. */
const ID = /^[0-9a-f]{24}$/;

const TITLE_NOT_KNOWN = 'Title not known';

interface VideoProps {
  readonly id: string;
  readonly title: string | undefined;
  /** Titles of others are known, so that it is said where one is not. */
  readonly hasTitles?: boolean;
}

/** A video by its title, where that is known, and its key or id. */
export function Video({ id, title, hasTitles = false }: VideoProps) {
  const isAlone = title === undefined && !hasTitles && !ID.test(id);
  return (
    <span class="video">
      {!isAlone && <bdi class={title === undefined ? 'quiet' : 'video-title'}>{title ?? TITLE_NOT_KNOWN}</bdi>}
      <bdi class="video-key">{id}</bdi>
    </span>
  );
}

/**
 * The heading of a view. It takes the focus when the view is opened, so that a screen reader begins there; within another
 * page, only where the focus is in the view already.
 */
export function ViewHeading({ children }: { readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.parent === window || document.hasFocus()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

const SIGNS: Readonly<Record<Tone, string>> = { loss: '!', caution: '!', good: '✓', plain: 'i', act: 'i' };

interface CalloutProps {
  readonly tone: Tone;
  /** Empty where there is none. */
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** Read out at once. */
  readonly isUrgent?: boolean;
}

interface FoldedProps {
  /** What is folded; without it, it stands there as it is. */
  readonly words: string | undefined;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

export function Folded({ words, isOpen = false, children }: FoldedProps) {
  if (words === undefined) return <>{children}</>;
  return (
    <details open={isOpen}>
      <summary>{words}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}

/** What went wrong in the words of settings and commands: it is of use to one reader only. */
export function ForSetup({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <div class="small quiet">
      <Folded words="For whoever set up this server">
        <Sentences of={[text]} />
      </Folded>
    </div>
  );
}

/** Something to be read before anything else. */
export function Callout({ tone, title = '', children, isUrgent = false }: CalloutProps) {
  return (
    <div class={`notice tone-${tone}`} role={isUrgent ? 'alert' : undefined}>
      <span class="notice-sign" aria-hidden="true">
        {SIGNS[tone]}
      </span>
      <div class="stack notice-text">
        {title !== '' && (
          <p class="notice-title">
            <Typeset text={title} />
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

export function Status({ of }: { readonly of: StatusFacts }) {
  const { isShared, mayApprove } = useRoles();
  const { words, tone, sign } = statusRow(of, !isShared || (mayApprove && of.needsOther === undefined), useIsLast());
  return (
    <span class={`status tone-${tone}`}>
      <span aria-hidden="true">{sign}</span> {words}
    </span>
  );
}

/** Whether it is known what a channel holds. */
export function Knowledge({ isKnown, isStated = false }: { readonly isKnown: boolean; readonly isStated?: boolean | undefined }) {
  // Losses hang on that: what was said alone is not what was seen or written.
  if (isKnown && isStated) return <span class="status tone-plain">As somebody said</span>;
  return <span class={`status tone-${isKnown ? 'good' : 'plain'}`}>{isKnown ? '✓ Known' : '? Not known'}</span>;
}

export function Timestamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} class="quiet">
      {timeInWords(at)}
    </time>
  );
}

/** What stands where nothing is: what it means, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

/** What is said, a paragraph each. Here as everywhere, `bdi` gives text of strangers a direction of its own. */
export function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((sentence, index) => (
        <p key={index}>
          <Typeset text={sentence} hasLinks />
        </p>
      ))}
    </>
  );
}

interface PaginationProps {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  readonly of: string;
  /** How many there are is not known, only whether there are more. */
  readonly isOpenEnded?: boolean;
}

export function Pagination({ page, pages, onPage, of, isOpenEnded = false }: PaginationProps) {
  if (pages <= 1) return null;
  return (
    <nav class="cluster pager" aria-label={`Pages of ${of}`}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span aria-live="polite">
        Page {page}
        {!isOpenEnded && ` of ${pages}`}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
