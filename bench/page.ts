// `npm run bench:page`: docs/performance.md once more, from the saved results.
import { writePage } from './page/write.ts';

await writePage();
