import type { ChangeView } from '../../contract.ts';
import { Sentences } from '../parts/basics.tsx';
import { Download } from '../parts/download.tsx';

/** The file of collected emails that a change gave out, for those whose it is. */
export function EmailFile({ change: { changeId, file } }: { readonly change: ChangeView }) {
  if (file === undefined) return null;
  return (
    <section class="panel" aria-label="The file">
      <Sentences of={[file.words]} />
      {file.format !== undefined && (
        <p>
          <Download path={`changes/${encodeURIComponent(changeId)}/emails`} words={`Download the file (${file.format})`} />
        </p>
      )}
    </section>
  );
}
