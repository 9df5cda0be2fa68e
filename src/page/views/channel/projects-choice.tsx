import type { ProjectsSaid } from '../../contract.ts';

export const projectsOf = (keys: readonly string[] | undefined): ProjectsSaid =>
  keys === undefined ? { kind: 'unsaid' } : keys.length === 0 ? { kind: 'none' } : { kind: 'these', text: keys.join('\n') };

/** A box with blanks says nothing. */
export const isSaid = (said: ProjectsSaid): boolean => (said.kind === 'these' ? said.text.trim() !== '' : said.kind === 'none');

const CHOICES = [
  ['unsaid', 'Not sure'],
  ['none', 'None'],
  ['these', 'These'],
] as const;

/** A channel may show whole projects beside single videos. */
export function ProjectsChoice({ said, onSay }: { readonly said: ProjectsSaid; readonly onSay: (said: ProjectsSaid) => void }) {
  return (
    <section class="panel" aria-label="Projects">
      <fieldset class="cluster choice choice-titled">
        <legend>Projects that it also holds</legend>
        {CHOICES.map(([kind, words]) => (
          <label key={kind}>
            <input
              type="radio"
              name="projects"
              checked={said.kind === kind}
              onChange={() => onSay(kind === 'these' ? { kind, text: '' } : { kind })}
            />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      {said.kind === 'unsaid' && (
        <p class="quiet">
          A channel can show whole projects beside videos. If you are not sure, a later change can’t tell whether they stay.
        </p>
      )}
      {said.kind === 'these' && (
        <label class="paste">
          <span>
            Project keys or names, <span class="quiet">one a line</span>
          </span>
          <textarea
            rows={3}
            spellcheck={false}
            value={said.text}
            onInput={({ currentTarget }) => onSay({ kind: 'these', text: currentTarget.value })}
          />
        </label>
      )}
    </section>
  );
}
