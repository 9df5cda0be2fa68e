export type ProjectsSaid = { readonly kind: 'unsaid' | 'none' } | { readonly kind: 'these'; readonly text: string };

export const projectsOf = (keys: readonly string[] | undefined): ProjectsSaid =>
  keys === undefined ? { kind: 'unsaid' } : keys.length === 0 ? { kind: 'none' } : { kind: 'these', text: keys.join('\n') };

/** The keys that were said; undefined where nothing was said of projects. */
export function projectsFrom(said: ProjectsSaid): readonly string[] | undefined {
  if (said.kind === 'these') return keysIn(said.text);
  return said.kind === 'none' ? [] : undefined;
}

function keysIn(text: string): readonly string[] | undefined {
  const keys = text.split(/[\s,;]+/).filter((key) => key !== '');
  return keys.length === 0 ? undefined : [...new Set(keys)];
}

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
            Project keys, <span class="quiet">one a line</span>
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
