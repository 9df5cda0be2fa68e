/** Of the documents that a server writes itself, in the colours of the page: they load nothing. */
export const DOCUMENT_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f6f3, #141517);
  --surface: light-dark(#ffffff, #1d1f23);
  --text: light-dark(#1d1e21, #ececef);
  --quiet: light-dark(#5d6069, #a7abb5);
  --line: light-dark(#e3e1db, #32353b);
  --line-strong: light-dark(#8b8e96, #777c87);
  --act: light-dark(#2350b8, #8fb1ff);
  --act-text: light-dark(#ffffff, #10131a);
  --loss: light-dark(#a8231b, #ff9d94);
  --loss-ground: light-dark(#fcefed, #371d1b);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
body { margin: 0; background: var(--ground); color: var(--text) }
main { box-sizing: border-box; width: min(26rem, 100% - 2rem); margin: 12vh auto 2rem; padding: 1.5rem; border: 1px solid var(--line); border-radius: 10px; background: var(--surface) }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25 }
p { margin: 0; overflow-wrap: anywhere }
p + p { margin-top: .75rem }
h1 + p { margin-top: 0 }
a { color: var(--act) }
.quiet { color: var(--quiet) }
.small { font-size: .8125rem }
form + p { margin-top: 1.25rem }
details { margin-top: .75rem }
summary { cursor: pointer }
summary + p { margin-top: .25rem }
label { display: block; margin: 1.25rem 0 .25rem; font-weight: 550 }
input, button { box-sizing: border-box; width: 100%; min-height: 2.5rem; padding: .5rem .75rem; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: inherit; font: inherit }
button { margin-top: 1rem; border-color: var(--act); background: var(--act); color: var(--act-text); font-weight: 600; cursor: pointer }
:focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
[role=status] { margin-top: .75rem; padding: .6rem .8rem; border-radius: 6px; background: var(--ground) }
[role=alert] { margin-top: .75rem; padding: .6rem .8rem; border-radius: 6px; background: var(--loss-ground); color: var(--loss); font-weight: 560 }
`.trim();
