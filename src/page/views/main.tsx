import { render } from 'preact';
import { createHttpSource } from './data/http-source.ts';
import { PageApp } from './page-app.tsx';

const root = document.getElementById('app');
if (root !== null) render(<PageApp source={createHttpSource()} />, root);
