import { render } from 'preact';
import { createHttpSource } from './data/http-source.ts';
import { PageApp } from './page-app.tsx';

const place = document.getElementById('app');
if (place !== null) render(<PageApp source={createHttpSource()} />, place);
