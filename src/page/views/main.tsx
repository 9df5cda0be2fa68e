import { render } from 'preact';
import { createHttpSource } from './data/http-source.ts';
import { takeToken } from './data/page-token.ts';
import { PageApp } from './page-app.tsx';

takeToken();

const root = document.getElementById('app');
if (root !== null) render(<PageApp source={createHttpSource()} />, root);
