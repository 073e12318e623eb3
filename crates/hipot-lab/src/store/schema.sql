-- The experiment file at the time of the last `lab run`: its name and its text.
CREATE TABLE experiment (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Positions are those in the experiment file; NULL: no longer in the file. Ids are never
-- reused (AUTOINCREMENT), so that a run that was started for a configuration that has been
-- replaced since finds no place to go.
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER,
    suite TEXT NOT NULL, domain TEXT NOT NULL, problem TEXT NOT NULL,
    files TEXT NOT NULL,
    UNIQUE (suite, domain, problem)
);
CREATE INDEX tasks_by_position ON tasks (position);
CREATE TABLE configurations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER,
    name TEXT NOT NULL UNIQUE,
    -- JSON: planner, limits, revision. NULL: its rows were imported, and it is not run.
    definition TEXT
);
CREATE INDEX configurations_by_position ON configurations (position);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    configuration INTEGER NOT NULL REFERENCES configurations ON DELETE CASCADE,
    status TEXT NOT NULL,
    started INTEGER NOT NULL,
    revision TEXT NOT NULL,
    machine TEXT NOT NULL,
    time_limit REAL NOT NULL, memory_limit INTEGER NOT NULL, output_limit INTEGER NOT NULL,
    reason TEXT,
    exit_code INTEGER,
    cost INTEGER, plan_length INTEGER, lower_bound INTEGER,
    initial_h INTEGER, initial_exact TEXT,
    evaluated INTEGER, expanded INTEGER, expanded_until_last_jump INTEGER,
    generated INTEGER, reopened INTEGER, dead_ends INTEGER,
    search_seconds REAL, total_seconds REAL,
    wall_seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, peak_memory INTEGER NOT NULL,
    statistics TEXT,
    UNIQUE (task, configuration)
);
CREATE INDEX runs_by_configuration ON runs (configuration, status);
-- In a table of their own, so that runs are read without them; compressed with zlib.
CREATE TABLE logs (run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE, log BLOB NOT NULL);

-- Which processes make runs now, and which runs.
CREATE TABLE owners (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host TEXT NOT NULL, place TEXT NOT NULL, pid INTEGER NOT NULL, began INTEGER NOT NULL,
    heartbeat INTEGER NOT NULL
);
CREATE TABLE claims (
    task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
    configuration INTEGER NOT NULL REFERENCES configurations ON DELETE CASCADE,
    owner INTEGER NOT NULL REFERENCES owners ON DELETE CASCADE,
    since INTEGER NOT NULL,
    PRIMARY KEY (task, configuration)
) WITHOUT ROWID;
CREATE INDEX claims_by_owner ON claims (owner);
