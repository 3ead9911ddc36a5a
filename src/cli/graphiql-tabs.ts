import type { GraphiQLOptions } from 'graphql-yoga';
import type { TypedModel } from '../typed-flex/model/model.ts';
import { demoCredentials } from './demo.ts';
import { publicQuery, tableQuery } from './rows-queries.ts';

// The queries that GraphiQL opens with.

const clientsQuery = `# A page of clients: its size is a variable.
# Ctrl-Enter runs the query.
query Clients($first: Int!) {
  clients(first: $first) {
    totalCount
    nodes {
      id
      name
      address {
        city
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

const deferQuery = `# The deals come first, their clients
# in a second part of the answer.
query Defer {
  deals(first: 3) {
    nodes {
      id
      name
      ... @defer {
        client {
          name
        }
      }
    }
  }
}
`;

const tokensQuery = `# The caller's API tokens.
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
 * A query of every API. docs/queries.md shows it, too.
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

/**
 * Creates GraphiQL's tabs. With the demo credentials when the sandbox is the upstream, else with placeholders.
 *
 * @param model the databases that have types: the first of them has the first tab
 */
export function graphiqlTabs(withDemoCredentials: boolean, model?: TypedModel): GraphiQLOptions {
  const headers = withDemoCredentials
    ? credentialHeaders(`Bearer ${demoCredentials.tokens[0]?.token}`, demoCredentials.forumAuthorization)
    : credentialHeaders('Bearer <API_TOKEN>', 'Basic <login:password in base64>');
  const [database] = model?.databases ?? [];
  const table = database && tableQuery(database);
  return {
    headers,
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false, // credentials do not go into the browser's storage
    defaultTabs: [
      ...(table === undefined ? [] : [{ query: table, headers }]),
      { query: clientsQuery, variables: '{ "first": 3 }', headers },
      ...[salesQuery, everything, deferQuery, searchQuery, tokensQuery, homeQuery, createQuery].map((query) => ({
        query,
        headers,
      })),
    ],
  };
}

/** Creates GraphiQL's tab for anonymous callers. There is no place for credentials. */
export function publicTabs(model?: TypedModel): GraphiQLOptions {
  const query =
    (model && publicQuery(model)) ?? '# The schema is in the documentation, at the left.\n{\n  __typename\n}\n';
  return {
    isHeadersEditorEnabled: false,
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: 'variables',
    defaultTabs: [{ query }],
  };
}
