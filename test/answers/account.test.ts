import { dashboards } from './dashboards.ts';
import { testEveryMode } from './support.ts';
import { apiTokens } from './tokens.ts';

testEveryMode('API tokens', apiTokens);
testEveryMode('dashboards, tiles and fields of the account', dashboards);
