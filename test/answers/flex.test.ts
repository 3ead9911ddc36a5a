import { flexDatabases } from './flex-databases.ts';
import { flexRecords } from './flex-records.ts';
import { publicFlex } from './public.ts';
import { testEveryMode } from './support.ts';

testEveryMode('databases', flexDatabases);
testEveryMode('records', flexRecords);
testEveryMode('public methods', publicFlex);
