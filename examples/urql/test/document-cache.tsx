// The app with the cache of whole answers, for the tests.
import { createRoot } from 'react-dom/client';
import { cacheExchange } from 'urql';
import { App } from '../src/app';

const root = document.querySelector('#app');
if (root) createRoot(root).render(<App cache={() => cacheExchange} />);
