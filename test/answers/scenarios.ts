import { apiTokens } from './tokens.ts';
import { clients } from './clients.ts';
import { contacts } from './contacts.ts';
import { dashboards } from './dashboards.ts';
import { deals } from './deals.ts';
import { flexDatabases } from './flex-databases.ts';
import { flexRecords } from './flex-records.ts';
import { forum } from './forum.ts';
import { links } from './links.ts';
import { posts } from './posts.ts';
import { publicFlex } from './public.ts';
import type { Scenario } from './support.ts';

/** All scenarios, by the names of what they are about: together they select each root field of the schema. */
export const scenarios = {
  apiTokens,
  clients,
  contacts,
  dashboards,
  deals,
  flexDatabases,
  flexRecords,
  forum,
  links,
  posts,
  publicFlex,
} satisfies Readonly<Record<string, Scenario>>;
