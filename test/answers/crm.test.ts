import { clients } from './clients.ts';
import { contacts } from './contacts.ts';
import { deals } from './deals.ts';
import { posts } from './posts.ts';
import { testEveryMode } from './support.ts';

testEveryMode('clients', clients);
testEveryMode('contacts and contact lists', contacts);
testEveryMode('deals and accounts', deals);
testEveryMode('posts', posts);
