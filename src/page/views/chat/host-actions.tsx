import { useEffect, useState } from 'preact/hooks';
import { fieldsIn, type Values } from '../../../platform/is-object.ts';
import { ZoneNote } from '../parts/zone-note.tsx';
import { type Route, routeOf } from '../router.ts';
import type { Host } from './host.ts';

interface Props {
  readonly host: Host;
  readonly address: string;
}

/** What the host can do with the view, and how what it shows is confirmed. Nothing here changes anything. */
export function HostActions({ host, address }: Props) {
  const [answer, setAnswer] = useState('');
  const { isFullscreen, mayBeFullscreen } = useDisplayMode(host);
  const route = routeOf(address);
  useEffect(() => setAnswer(''), [address]);
  const openBrowser = (): void => {
    const call = { name: 'show_to_user', arguments: { ...argumentsOf(route), inBrowser: true } };
    host.bridge.request('tools/call', call).then(
      (result) => setAnswer(textIn(result)),
      (error: Error) => setAnswer(`The browser was not opened: ${error.message}. Ask your assistant to show it in your browser.`),
    );
  };
  const enlarge = (): void => {
    host.bridge.request('ui/request-display-mode', { mode: isFullscreen ? 'inline' : 'fullscreen' }).catch(() => undefined);
  };
  const isChange = route.view === 'change' || route.view === 'changes';
  return (
    <footer class="host-actions">
      <ZoneNote />
      {isChange && (
        <p class="quiet">
          To look at only. A change is confirmed where your assistant asks you: in a form, on the approval page in your browser, or in the
          conversation.
        </p>
      )}
      <p class="cluster host-buttons">
        {host.mayCallTools && (
          <button type="button" class="small" onClick={openBrowser}>
            Open in the browser
          </button>
        )}
        {(mayBeFullscreen || isFullscreen) && (
          <button type="button" class="small" onClick={enlarge}>
            {isFullscreen ? 'Back to the conversation' : 'Full screen'}
          </button>
        )}
      </p>
      {answer !== '' && (
        <p class="quiet" role="status">
          {answer}
        </p>
      )}
    </footer>
  );
}

/** The text of an answer, which every host passes. */
const textIn = ({ content }: Values): string => (Array.isArray(content) ? content.map((block) => fieldsIn(block).text).join('\n') : '');

const argumentsOf = (route: Route): object => ('id' in route ? { what: route.view, id: route.id } : { what: 'changes' });

function useDisplayMode(host: Host): { readonly isFullscreen: boolean; readonly mayBeFullscreen: boolean } {
  const [context, setContext] = useState(host.context.get);
  useEffect(() => host.context.onChange(setContext), [host]);
  const { availableDisplayModes, displayMode } = context;
  return {
    isFullscreen: displayMode === 'fullscreen',
    mayBeFullscreen: Array.isArray(availableDisplayModes) && availableDisplayModes.includes('fullscreen'),
  };
}
