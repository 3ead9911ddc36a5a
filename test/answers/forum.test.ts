import { forum } from './forum.ts';
import { testEveryMode } from './support.ts';

testEveryMode('the forum', forum);
