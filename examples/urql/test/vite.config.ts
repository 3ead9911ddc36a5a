import { mergeConfig } from 'vite';
import config from '../vite.config.ts';

/** The app, and the app with the cache of whole answers. */
const input = ['index.html', 'test/document-cache.html'];

export default mergeConfig(config, { build: { rolldownOptions: { input } } });
