import type { Staleness } from '../../calls/cache/staleness.ts';

/** Tokens are never kept: they are secrets, or tell of some. */
export const accountStaleness = {
  reads: {
    'GET /account/api_tokens.json': null,
    'GET /account/api_tokens.json?for_account=yes': null,
    'GET /account/api_tokens/:id.json': null,
    'GET /toolkit/dashboards.json': ['dashboards'],
    'GET /toolkit/dashboards/:id.json': ['dashboards'],
    'GET /toolkit/dashboards/widgets.json': ['dashboards'],
    'GET /toolkit/dashboards/widget.json': [], // it depends on modules and permissions alone
  },
  writes: {
    'POST /account/api_tokens.json': [], // a new token changes nothing for the others
    // The token may be that of any caller, which no longer may read, or less.
    'PATCH /account/api_tokens/:id.json': ['access'],
    'DELETE /account/api_tokens/:id.json': ['access'],
    // A new dashboard becomes the displayed one; a new default clears the flag of another; a deletion ends selections.
    'POST /toolkit/dashboards.json': ['dashboards'],
    'PATCH /toolkit/dashboards/:id.json': ['dashboards'],
    'DELETE /toolkit/dashboards/:id.json': ['dashboards'],
    'PATCH /toolkit/dashboards/select.json': ['dashboards'],
    // Modules decide which tiles there are. What other fields do is not documented.
    'POST /account/set_field.json': ['access'],
  },
} satisfies Staleness;
