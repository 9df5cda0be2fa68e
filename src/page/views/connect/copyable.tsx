import { useState } from 'preact/hooks';
import { useAnnounce } from '../data/page-context.tsx';

/** A text to be copied as a whole. Where the browser does not copy, it can be selected. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  const announce = useAnnounce();
  const [words, setWords] = useState('Copy');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setWords('Copied');
        announce(`Copied: ${what}`);
      },
      () => setWords('Not copied: select it'),
    );
  };
  return (
    <div class="cluster copyable">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" aria-label={words === 'Copy' ? `Copy: ${what}` : undefined} onClick={copy}>
        {words}
      </button>
    </div>
  );
}
