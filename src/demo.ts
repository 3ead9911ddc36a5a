import type { GraphiQLOptions } from 'graphql-yoga';

// The demo credentials of the sandbox, and the queries that GraphiQL opens with.

const demoTokens = [
  { token: 'demo-admin', may: 'do everything' },
  { token: 'demo-editor', may: 'create and change dashboards of their own' },
  { token: 'demo-member', may: 'change records of the CRM and of flexible databases, and select dashboards' },
];

/**
 * Login `demo`, password `demo`.
 *
 * @internal exported for the tests
 */
export const demoForumAuthorization = `Basic ${Buffer.from('demo:demo').toString('base64')}`;

/** Not documented (A118): what the cookie of public methods is called. In the sandbox it is this. */
const demoCookies = ['flex_key'];

const tokensQuery = `# The caller's API tokens.
# Ctrl-Enter runs the query.
query Tokens {
  apiTokens {
    id
    name
    kind
    active
    expired
    expiresAt
    tokenInfo
  }
}
`;

const homeQuery = `# What the caller sees on the home page,
# and what they could choose.
query Home {
  displayedDashboard(context: MAIN) {
    current {
      name
      shared
      isDefault
    }
    layout {
      key
      size
      config {
        limit
        scope
      }
    }
    choices {
      id
      name
      editable
    }
  }
}
`;

const createQuery = `# Creates a dashboard. To see a refusal,
# make customUrl javascript:alert(1).
mutation Create {
  createDashboard(
    input: {
      name: "My week"
      layout: [
        { key: "tasks", size: HALF, config: { scope: MINE, limit: 10 } }
        { key: "quick_actions", config: { customName: "Wiki", customUrl: "/kb" } }
      ]
    }
  ) {
    __typename
    ... on Dashboard {
      id
      name
      layout {
        entryId
        key
      }
    }
    ... on ValidationError {
      fields {
        field
        messages
      }
    }
    ... on ForbiddenError {
      message
    }
  }
}
`;

const searchQuery = `# The five cheapest oak things of a database.
query Search {
  flexDb(id: "products") {
    name
    search(
      query: "oak"
      sort: { field: "price" }
      first: 5
    ) {
      nodes {
        id
        data(fields: ["name", "price", "stock"])
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`;

const salesQuery = `# Open tasks of the largest deals' clients.
# Clients come from one list or by id,
# contacts by id.
query Sales {
  deals(first: 5, orderBy: { field: PRICE, direction: DESC }) {
    totalCount
    nodes {
      id
      name
      price
      client {
        name
        address {
          city
        }
        contact {
          name
          email
        }
        posts(first: 3, filter: { closed: false, isComment: false }) {
          totalCount
          nodes {
            title
            taskKind
            createdAt
          }
        }
      }
    }
  }
}
`;

/**
 * A query of every API. The README shows it, too.
 *
 * @internal exported for the tests
 */
export const everything = `# Every API at once: three services,
# four kinds of credential.
query Everything {
  deals(first: 1) {
    nodes {
      id
      name
      client {
        name
      }
    }
  }
  forumPost(id: 565) {
    title
    votesCount
    post {
      client {
        name
      }
    }
  }
  displayedDashboard(context: MAIN) {
    layout {
      key
      flexDbs {
        name
      }
    }
  }
  publicFlexDb(code: "guestbook") {
    list(first: 2) {
      nodes {
        id
        data
      }
    }
  }
}
`;

function credentialHeaders(authorization: string, forum: string): string {
  return JSON.stringify({ Authorization: authorization, 'X-Forum-Authorization': forum }, null, 2);
}

/** Creates GraphiQL's tabs. With the demo credentials when the sandbox is the upstream, else with placeholders. */
export function graphiqlTabs(withDemoCredentials: boolean): GraphiQLOptions {
  const headers = withDemoCredentials
    ? credentialHeaders(`Bearer ${demoTokens[0]?.token}`, demoForumAuthorization)
    : credentialHeaders('Bearer <API_TOKEN>', 'Basic <login:password in base64>');
  return {
    headers,
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false, // credentials do not go into the browser's storage
    defaultTabs: [everything, tokensQuery, searchQuery, salesQuery, homeQuery, createQuery].map((query) => ({
      query,
      headers,
    })),
  };
}

/** Base addresses of the sandbox, without a trailing slash. */
interface SandboxUrls {
  readonly account: string;
  readonly flex: string;
  readonly crm: string;
  readonly forum: string;
}

/** The settings, as texts, that make the sandbox the upstream. */
export function sandboxSettings({ account, flex, crm, forum }: SandboxUrls) {
  return {
    ACCOUNT_URL: account,
    FLEX_URL: flex,
    FLEX_COOKIES: demoCookies.join(','),
    CRM_URL: crm,
    CRM_SHARES_TOKEN: 'true',
    FORUM_URL: forum,
  };
}

/** The banner of a gateway over the sandbox: addresses, and credentials to paste. */
export function demoBanner(endpoint: string, role: string, sandbox: SandboxUrls): string {
  const token = demoTokens[0]?.token;
  return `trivium is up${role}, over a sandbox with demo data.

  GraphQL   ${endpoint}   in a browser: GraphiQL
  Sandbox   ${sandbox.account}   stands in for the account, flex and CRM APIs
            ${sandbox.forum}   for the forum

  Credentials to paste, as the header Authorization: Bearer <token>
${demoTokens.map(({ token: demo, may }) => `    ${demo.padEnd(13)}may ${may}`).join('\n')}
  and for the forum X-Forum-Authorization: ${demoForumAuthorization}

  curl -s ${endpoint} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"query":"{ apiTokens { name tokenInfo } }"}'

  To serve the real APIs instead: ACCOUNT_URL=https://account.example npm start
`;
}
