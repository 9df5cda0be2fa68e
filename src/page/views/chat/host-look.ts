import { fieldsIn, type Values } from '../../../platform/is-object.ts';
import { setLocale } from '../parts/words.ts';
import type { Host } from './host.ts';

/** Follows the host's theme, fonts, language and display mode, and tells it how high the view is. */
export function followHost(host: Host): void {
  const root = document.documentElement;
  apply(host.context.get());
  host.context.onChange(apply);

  function apply(context: Values): void {
    const { theme } = context;
    // In the place of the browser's.
    if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
    const { variables, css } = fieldsIn(context.styles);
    const { '--font-sans': sans, '--font-mono': mono } = fieldsIn(variables);
    if (typeof sans === 'string') root.style.setProperty('--sans', sans);
    if (typeof mono === 'string') root.style.setProperty('--mono', mono);
    applyFonts(fieldsIn(css).fonts);
    root.dataset.mode = context.displayMode === 'fullscreen' ? 'fullscreen' : 'inline';
    setLocale(textOr(context.locale), textOr(context.timeZone));
  }

  tellSize(host);
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function applyFonts(fonts: unknown): void {
  if (typeof fonts !== 'string' || document.getElementById('host-fonts') !== null) return;
  const style = document.createElement('style');
  style.id = 'host-fonts';
  style.textContent = fonts;
  document.head.append(style);
}

const SIZE_MS = 60;

/** Tells the host the size, once it has come to rest, where it differs from the last one. */
function tellSize({ bridge }: Host): void {
  let lastSize = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const size = { width: window.innerWidth, height: Math.ceil(document.body.getBoundingClientRect().height) };
    if (lastSize === JSON.stringify(size)) return;
    lastSize = JSON.stringify(size);
    bridge.notify('ui/notifications/size-changed', size);
  };
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(tell, SIZE_MS);
  });
  observer.observe(document.body);
  bridge.on('ui/resource-teardown', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
}
