import { render } from 'preact';
import { App } from './app.tsx';
import { createHttpSource } from './data/http-source.ts';

const place = document.getElementById('app');
if (place !== null) render(<App source={createHttpSource()} />, place);
