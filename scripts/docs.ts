// Writes the pages of docs/ that are made from the sources: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { settingsFile, settingsPage } from './settings-page.ts';

writeFileSync(settingsFile, await settingsPage());
console.log(`${settingsFile} is written.`);
