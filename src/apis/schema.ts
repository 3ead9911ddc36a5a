import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import { specifiedDirectives } from 'graphql';
import './account/account-fields.ts';
import { ApiToken } from './account/api-tokens.ts';
import './account/dashboard-widgets.ts';
import { Dashboard } from './account/dashboards.ts';
import './account/displayed-dashboards.ts';
import { builder } from '../graph/builder.ts';
import './crm/accounts.ts';
import './crm/bulk.ts';
import './crm/client-list.ts';
import { Client } from './crm/clients.ts';
import { ContactList } from './crm/contact-lists.ts';
import { Contact } from './crm/contacts.ts';
import './crm/deal-list.ts';
import { Deal } from './crm/deals.ts';
import './crm/post-input.ts';
import './crm/post-list.ts';
import { Post } from './crm/posts.ts';
import { FlexDb } from './flex/databases.ts';
import { FlexRecord } from './flex/records.ts';
import './flex/public-databases.ts';
import { PublicFlexRecord } from './flex/public-records.ts';
import './flex/bulk.ts';
import './flex/search.ts';
import { ForumCategory } from './forum/categories.ts';
import { ForumPost } from './forum/posts.ts';
import './forum/users.ts';
import type { Entity } from '../graph/federation/entities.ts';
import '../graph/errors.ts';
import '../graph/json.ts';
import { defineNodeFields } from '../graph/node.ts';
import '../graph/scalars.ts';
import { semanticNonNull } from '../graph/semantic-non-null.ts';
import './links/credentials.ts';
import './links/forum-posts.ts';
import './links/search.ts';
import './links/tile-databases.ts';
import '../typed-flex/changes/plan-changes.ts';

const byUpstreamId = [ApiToken, Client, Contact, ContactList, Dashboard, Deal, FlexDb, ForumCategory, ForumPost, Post];

/** Upstream ids of these records are unique within one database only. */
const byGlobalId = [FlexRecord, PublicFlexRecord];

defineNodeFields([...byUpstreamId, ...byGlobalId]);

/** The schema of the gateway, built from all slices. */
export const schema = builder.toSchema({
  directives: [...specifiedDirectives, GraphQLDeferDirective, GraphQLStreamDirective, semanticNonNull],
});

/** The types whose records other subgraphs can refer to. */
export const entities: readonly Entity[] = [
  ...byUpstreamId.map((type): Entity => ({ type, keys: ['id', 'upstreamId'] })),
  ...byGlobalId.map((type): Entity => ({ type, keys: ['id'] })),
];
