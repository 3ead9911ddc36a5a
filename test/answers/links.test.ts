import { links } from './links.ts';
import { testEveryMode } from './support.ts';

testEveryMode('fields that read several APIs', links);
