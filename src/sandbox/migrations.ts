/** The migrations of the database, in order. A released migration is never edited; a new one amends it. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    modules TEXT NOT NULL -- JSON list
  ) STRICT;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    permissions TEXT NOT NULL -- JSON list
  ) STRICT;

  CREATE TABLE api_tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    user_id INTEGER NOT NULL REFERENCES users,
    digest TEXT NOT NULL UNIQUE,
    token_info TEXT NOT NULL,
    name TEXT,
    code TEXT,
    kind TEXT,
    integration_app_code TEXT,
    expires_at TEXT, -- as it was written
    active INTEGER NOT NULL,
    for_account INTEGER NOT NULL,
    privileges TEXT NOT NULL, -- JSON list
    UNIQUE (account_id, code),
    UNIQUE (account_id, integration_app_code)
  ) STRICT;

  CREATE TABLE flex_applications (
    id TEXT PRIMARY KEY, -- a uuid
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    active INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE dashboards (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    user_id INTEGER NOT NULL REFERENCES users, -- the author
    name TEXT NOT NULL,
    context TEXT NOT NULL,
    layout TEXT NOT NULL, -- JSON list
    shared INTEGER NOT NULL,
    is_default INTEGER NOT NULL CHECK (is_default <= shared),
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX one_default_per_context ON dashboards (account_id, context) WHERE is_default;

  -- No row: the company default. A row without a dashboard: the built-in layout.
  CREATE TABLE selections (
    user_id INTEGER NOT NULL REFERENCES users,
    context TEXT NOT NULL,
    dashboard_id INTEGER REFERENCES dashboards ON DELETE CASCADE,
    PRIMARY KEY (user_id, context)
  ) STRICT;
  CREATE INDEX selections_of_a_dashboard ON selections (dashboard_id);
  `,
  `
  CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users
  ) STRICT;

  CREATE TABLE flex_databases (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, -- a uuid
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    code TEXT UNIQUE,
    app_id TEXT, -- a uuid
    schema TEXT, -- JSON
    public_methods TEXT, -- JSON
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX flex_databases_of_an_account ON flex_databases (account_id);

  CREATE TABLE flex_records (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- the later the record, the higher
    id TEXT NOT NULL UNIQUE, -- a uuid
    database INTEGER NOT NULL REFERENCES flex_databases ON DELETE CASCADE,
    table_name TEXT,
    data TEXT NOT NULL, -- JSON as JSON.stringify writes it: a search looks for members in this text
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    idx_str_1 TEXT,
    idx_str_2 TEXT,
    idx_str_3 TEXT,
    idx_int_1 INTEGER,
    idx_int_2 INTEGER,
    idx_time_1 TEXT,
    idx_time_2 TEXT
  ) STRICT;
  CREATE INDEX flex_records_in_order ON flex_records (database);
  CREATE INDEX flex_records_of_a_table ON flex_records (database, table_name);
  CREATE INDEX flex_str_1 ON flex_records (database, table_name, idx_str_1);
  CREATE INDEX flex_str_2 ON flex_records (database, table_name, idx_str_2);
  CREATE INDEX flex_str_3 ON flex_records (database, table_name, idx_str_3);
  CREATE INDEX flex_int_1 ON flex_records (database, table_name, idx_int_1);
  CREATE INDEX flex_int_2 ON flex_records (database, table_name, idx_int_2);
  CREATE INDEX flex_time_1 ON flex_records (database, table_name, idx_time_1);
  CREATE INDEX flex_time_2 ON flex_records (database, table_name, idx_time_2);
  `,
  `
  ALTER TABLE accounts ADD COLUMN prefix TEXT;
  CREATE UNIQUE INDEX account_prefixes ON accounts (prefix);

  ALTER TABLE users ADD COLUMN login TEXT;
  ALTER TABLE users ADD COLUMN email TEXT;
  ALTER TABLE users ADD COLUMN password TEXT; -- a salted hash
  CREATE UNIQUE INDEX user_logins ON users (login);

  -- What a record links to has a column of its own; "fields" is a JSON object of the rest.
  CREATE TABLE contacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    fields TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE contact_lists (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE clients (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    contact_id INTEGER REFERENCES contacts ON DELETE SET NULL,
    token TEXT NOT NULL,
    fields TEXT NOT NULL,
    creator_id INTEGER NOT NULL REFERENCES users,
    updater_id INTEGER NOT NULL REFERENCES users,
    last_activity TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX clients_of_an_account ON clients (account_id);
  CREATE INDEX clients_of_a_contact ON clients (contact_id);

  CREATE TABLE posts ( -- tasks, comments and suggestions
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    post_id INTEGER REFERENCES posts ON DELETE CASCADE,
    client_id INTEGER REFERENCES clients ON DELETE SET NULL,
    duplicate_from_id INTEGER REFERENCES posts ON DELETE SET NULL,
    user_id INTEGER NOT NULL REFERENCES users, -- the author
    task_kind TEXT NOT NULL,
    fields TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX posts_of_an_account ON posts (account_id);
  CREATE INDEX posts_of_a_post ON posts (post_id, task_kind);
  CREATE INDEX posts_of_a_client ON posts (client_id, task_kind);
  CREATE INDEX duplicates_of_a_post ON posts (duplicate_from_id);

  CREATE TABLE deals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    client_id INTEGER REFERENCES clients ON DELETE SET NULL,
    fields TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX deals_of_an_account ON deals (account_id);
  CREATE INDEX deals_of_a_client ON deals (client_id);
  `,
  `
  ALTER TABLE users ADD COLUMN description TEXT;
  ALTER TABLE users ADD COLUMN www TEXT;
  ALTER TABLE users ADD COLUMN created_at TEXT NOT NULL DEFAULT '';
  ALTER TABLE users ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
  UPDATE users SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now');

  CREATE TABLE forum_categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    UNIQUE (account_id, name)
  ) STRICT;

  -- A post whose category is one of the forum's is a suggestion in it.
  ALTER TABLE posts ADD COLUMN category_id INTEGER AS (json_extract(fields, '$.category_id'));
  CREATE INDEX posts_of_a_category ON posts (account_id, category_id);
  `,
];
