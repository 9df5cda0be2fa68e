import { useState } from 'preact/hooks';
import { useAnnounce } from '../data/page-context.tsx';
import { number } from '../parts/words.ts';
import type { EditorRows } from './rows.ts';

/** Puts the list on the clipboard, so that it outlives this page. */
export function CopyButton({ rows }: { readonly rows: EditorRows }) {
  const announce = useAnnounce();
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(rows.map(({ key }) => key).join('\n')).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), 2_000);
        announce(`Copied ${number(rows.length)} keys.`);
      },
      () => announce('Your browser does not allow copying.'),
    );
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy keys'}
    </button>
  );
}
