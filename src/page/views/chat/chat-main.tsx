import { render } from 'preact';
import { ChatApp } from './chat-app.tsx';
import { createChatSource } from './chat-source.ts';
import { connectHost } from './host.ts';
import { followHost } from './host-look.ts';

const root = document.getElementById('app');
if (root !== null)
  connectHost().then(
    (host) => {
      followHost(host);
      render(<ChatApp host={host} source={createChatSource(host)} />, root);
    },
    () =>
      render(
        <main>
          <h1>Nothing to show here</h1>
          <p>The program that opened this view did not answer it. Ask your assistant to tell you, or to show it in your browser.</p>
        </main>,
        root,
      ),
  );
