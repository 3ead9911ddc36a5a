import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const endpoint = import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:4000/graphql';
const root = document.querySelector('#app');
if (root) createRoot(root).render(<App endpoint={endpoint} />);
