// Made of schema.graphql by `npm run schema`.

/** The types of a refusal. */
export const refusals = ['ConflictError', 'ForbiddenError', 'NotAttempted', 'NotFoundError', 'ValidationError'] as const;

/** Those of a write that is no item of a bulk mutation. */
const refused = ['ConflictError', 'ForbiddenError', 'NotFoundError', 'ValidationError'];

const membersByType = (): Record<string, string[]> => ({
  AddPostCommentResult: [...refused, 'Post'],
  CreateAccountResult: [...refused, 'CreatedAccount'],
  CreateApiTokenResult: [...refused, 'CreatedApiToken'],
  CreateClientResult: [...refused, 'Client'],
  CreateClientsItemResult: [...refusals, 'Client'],
  CreateContactListResult: [...refused, 'ContactList'],
  CreateContactResult: [...refused, 'Contact'],
  CreateContactsItemResult: [...refusals, 'Contact'],
  CreateDashboardResult: [...refused, 'Dashboard'],
  CreateDealResult: [...refused, 'Deal'],
  CreateDealsItemResult: [...refusals, 'Deal'],
  CreateFlexDbResult: [...refused, 'FlexDb', 'FlexDbPlan'],
  CreateFlexRecordResult: [...refused, 'FlexRecord'],
  CreateFlexRecordsItemResult: [...refusals, 'FlexRecord'],
  CreateForumPostResult: [...refused, 'ForumPost'],
  CreateForumUserResult: [...refused, 'CreatedForumUser'],
  CreatePostResult: [...refused, 'Post'],
  CreatePostsItemResult: [...refusals, 'Post'],
  CreatePublicFlexRecordResult: [...refused, 'PublicFlexRecord'],
  DeleteApiTokenResult: [...refused, 'ApiTokenDeletion'],
  DeleteClientResult: [...refused, 'DeletedNode'],
  DeleteClientsItemResult: [...refusals, 'DeletedNode'],
  DeleteDashboardResult: [...refused, 'DashboardDeletion'],
  DeleteDealResult: [...refused, 'DeletedNode'],
  DeleteDealsItemResult: [...refusals, 'DeletedNode'],
  DeleteFlexDbResult: [...refused, 'DeletedNode'],
  DeleteFlexRecordResult: [...refused, 'DeletedNode'],
  DeleteFlexRecordsItemResult: [...refusals, 'DeletedNode'],
  DeleteForumPostResult: [...refused, 'DeletedNode'],
  DeletePublicFlexRecordResult: [...refused, 'DeletedNode'],
  EnableDashboardsResult: [...refused, 'AccountFieldChange'],
  MutationError: [...refusals],
  Node: ['ApiToken', 'Client', 'Contact', 'ContactList', 'Dashboard', 'Deal', 'FlexDb', 'FlexRecord', 'ForumCategory', 'ForumPost', 'Post', 'PublicFlexRecord'],
  ReplaceInFlexDbResult: [...refused, 'FlexDb', 'FlexDbPlan'],
  SearchResult: ['Client', 'Deal', 'FlexRecord', 'ForumPost', 'Post'],
  SelectDashboardResult: [...refused, 'DisplayedDashboard'],
  SetAccountFieldResult: [...refused, 'AccountFieldChange'],
  UpdateApiTokenResult: [...refused, 'ApiToken'],
  UpdateClientResult: [...refused, 'Client'],
  UpdateClientsItemResult: [...refusals, 'Client'],
  UpdateContactListResult: [...refused, 'ContactList'],
  UpdateContactResult: [...refused, 'Contact'],
  UpdateContactsItemResult: [...refusals, 'Contact'],
  UpdateDashboardResult: [...refused, 'Dashboard'],
  UpdateDealResult: [...refused, 'Deal'],
  UpdateDealsItemResult: [...refusals, 'Deal'],
  UpdateFlexDbResult: [...refused, 'FlexDb', 'FlexDbPlan'],
  UpdateFlexRecordResult: [...refused, 'FlexRecord'],
  UpdateFlexRecordsItemResult: [...refusals, 'FlexRecord'],
  UpdatePublicFlexRecordResult: [...refused, 'PublicFlexRecord'],
});

/** The members of each interface and union. Bundlers drop them where they are not used. */
export const possibleTypes: Record<string, string[]> = /* @__PURE__ */ membersByType();

/** The fields with pages of each type. */
export const connections: Readonly<Record<string, readonly string[]>> = {
  Client: ['deals', 'posts'],
  FlexDb: ['records', 'search'],
  Post: ['comments'],
  PublicFlexDb: ['list', 'search'],
  Query: ['clients', 'deals', 'forumPosts', 'posts', 'search'],
};

/** The types without an id of which a record has one. */
export const parts: readonly string[] = ['ClientAddress', 'ClientAvatar', 'ClientBank', 'ClientCustomFields', 'ClientPayments', 'Credentials', 'DashboardWidget', 'ForumUser', 'PostHelp', 'PostMail', 'PostRequest', 'PostSpam', 'TileConfig'];

/** The mutations that take an `Idempotency-Key`, by their verbs. */
export const keyedMutations: Pick<RegExp, 'test'> = /^(?:add(?:PostComment)|create(?:Account|ApiToken|Clients?|Contacts?|ContactList|Dashboard|Deals?|FlexDb|FlexRecords?|ForumPost|Posts?)|delete(?:ApiToken|Clients?|Dashboard|Deals?|FlexDb|FlexRecords?|ForumPost)|enable(?:Dashboards)|replace(?:InFlexDb)|select(?:Dashboard)|set(?:AccountField)|update(?:ApiToken|Clients?|Contacts?|ContactList|Dashboard|Deals?|FlexDb|FlexRecords?))$/;
