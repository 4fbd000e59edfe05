-- Gradings, beside the traces: append-only, written in one transaction a grading, immutable once written.
-- People read the views of the same names in `main`.

CREATE SCHEMA IF NOT EXISTS grading;

-- Suite versions, one row a content hash (of what is asked, not of how the file is written).
CREATE TABLE IF NOT EXISTS grading.suites (
    suite_hash VARCHAR,
    suite      VARCHAR,
    format     VARCHAR,     -- native, agentlasso, scenario, …
    path       VARCHAR,
    text       VARCHAR,     -- the file as it was read first
    cases      UINTEGER,
    first_at   TIMESTAMP_NS
);

CREATE TABLE IF NOT EXISTS grading.gradings (
    grading_id     VARCHAR,
    graded_at      TIMESTAMP_NS,
    suite          VARCHAR,
    suite_hash     VARCHAR,
    verdict        VARCHAR,     -- passed, failed, not gateable
    exit_code      UTINYINT,
    reasons        VARCHAR[],
    selected       UINTEGER,    -- runs that were looked at
    still_open     UINTEGER,    -- runs left out since they may still grow
    samples        UINTEGER,
    passed         UINTEGER,
    failed         UINTEGER,
    indeterminate  UINTEGER,
    errors         UINTEGER,
    skipped        UINTEGER,    -- policies that did not apply, cases that a tenant's gate leaves out
    grader_version VARCHAR,
    quotes         VARCHAR[]    -- runs besides its samples whose inputs the reasons may repeat: the nearest of a case without a run
);

ALTER TABLE grading.gradings ADD COLUMN IF NOT EXISTS quotes VARCHAR[];

-- One row a case and run: a verdict. Its key is (case_hash, run_id, tree_digest, inputs_hash).
CREATE TABLE IF NOT EXISTS grading.case_results (
    grading_id       VARCHAR,
    graded_at        TIMESTAMP_NS,
    suite            VARCHAR,
    case_name        VARCHAR,
    case_hash        VARCHAR,
    run_id           VARCHAR,
    trace_id         VARCHAR,       -- of the root job
    tree_digest      VARCHAR,
    inputs_hash      VARCHAR,       -- of what else went in: the context given, whether a tenant's gate asked
    traces           VARCHAR[],     -- the members of the tree that was judged
    jobs             UINTEGER,
    evidence_at      TIMESTAMP_NS,  -- when the newest evidence of that tree was committed
    outcome          VARCHAR,       -- pass, fail, indeterminate, error, not_graded, skipped
    value            DOUBLE,        -- passed / (passed + failed) checks
    reason           VARCHAR,
    changed_because  VARCHAR,       -- child joined, evidence arrived, normalizer changed, case changed, inputs changed; null: nothing changed, or first time
    previous_outcome VARCHAR,
    previous_grading VARCHAR,
    flags            VARCHAR[]      -- partially_graded: a check that needs a judge has no verdict
);

-- Stores of a grader that knew no flags.
ALTER TABLE grading.case_results ADD COLUMN IF NOT EXISTS flags VARCHAR[];

-- One row a check. `spans` are span ids of the run's traces.
CREATE TABLE IF NOT EXISTS grading.check_results (
    grading_id VARCHAR,
    case_name  VARCHAR,
    run_id     VARCHAR,
    position   VARCHAR,     -- of the check in its case: 2, or when.1
    name       VARCHAR,
    kind       VARCHAR,     -- called, not_called, …
    outcome    VARCHAR,
    value      DOUBLE,
    severity   VARCHAR,
    sentence   VARCHAR,
    spans      VARCHAR[],
    cost_usd   DOUBLE,      -- of the judges that it asked; null: nobody was asked, or a price is not known
    seconds    DOUBLE,      -- that judges took
    cached     BOOLEAN,     -- whether all of their verdicts were known before
    quotes     VARCHAR[]    -- runs besides this one whose words the sentence may repeat: a baseline's, another's label
);

ALTER TABLE grading.check_results ADD COLUMN IF NOT EXISTS quotes VARCHAR[];
ALTER TABLE grading.check_results ADD COLUMN IF NOT EXISTS cost_usd DOUBLE;
ALTER TABLE grading.check_results ADD COLUMN IF NOT EXISTS seconds DOUBLE;
ALTER TABLE grading.check_results ADD COLUMN IF NOT EXISTS cached BOOLEAN;

-- Verdicts of models, one row an answer, kept as soon as they come: an unchanged reply is never paid for twice.
CREATE TABLE IF NOT EXISTS grading.judge_verdicts (
    verdict_key   VARCHAR,     -- of the judge's version and the exact prompt
    judged_at     TIMESTAMP_NS,
    judge         VARCHAR,     -- criterion/1, rubric/1, …: the prompt and its version
    judge_version VARCHAR,     -- hash of prompt version, rubric or scale, verdict schema and model
    model         VARCHAR,
    verdict       VARCHAR,     -- JSON: the reasoning, and what was met, the level, or which reply is better
    input_tokens  UINTEGER,
    output_tokens UINTEGER,
    cost_usd      DOUBLE,      -- null: the model's price is not known
    seconds       DOUBLE
);

-- Whose words stood in a judge's question, one row a verdict and run: a verdict may repeat them, and goes with the run.
CREATE TABLE IF NOT EXISTS grading.judged_runs (
    verdict_key VARCHAR,
    run_id      VARCHAR
);

-- Batches of questions that were sent to the Message Batches API, so that a grading that was ended fetches what it paid for.
CREATE TABLE IF NOT EXISTS grading.judge_batches (
    batch_id     VARCHAR,       -- the API's
    noted_at     TIMESTAMP_NS,
    state        VARCHAR,       -- sent, then fetched
    verdict_keys VARCHAR[]      -- the questions in it
);

-- What people said of outputs, one row a label; of several on the same output the last one counts. In files `check_name` is
-- `check`, and `case_name` is `case`, which SQL keeps for itself.
CREATE TABLE IF NOT EXISTS grading.labels (
    sample_id   VARCHAR,         -- the case, the case that the run names, or the run
    output_hash VARCHAR,         -- first 16 hex digits of the sha256 of the output's text
    value       DOUBLE,          -- 0 to 1
    passed      BOOLEAN,
    notes       VARCHAR,
    check_name  VARCHAR,         -- the check that it is a verdict of; null: of none by name
    labeler     VARCHAR,
    created_at  TIMESTAMP_NS,
    raw         VARCHAR,         -- what the person typed: p, f, or a level of a scale such as 4/5
    run_id      VARCHAR,
    suite       VARCHAR,
    case_name   VARCHAR,
    recorded_at TIMESTAMP_NS     -- when the row was written; later rows win
);

CREATE OR REPLACE VIEW suites AS SELECT * FROM grading.suites;
CREATE OR REPLACE VIEW gradings AS SELECT * FROM grading.gradings;
CREATE OR REPLACE VIEW case_results AS SELECT * FROM grading.case_results;
CREATE OR REPLACE VIEW check_results AS SELECT * FROM grading.check_results;
CREATE OR REPLACE VIEW judge_verdicts AS SELECT * FROM grading.judge_verdicts;
CREATE OR REPLACE VIEW judged_runs AS SELECT * FROM grading.judged_runs;
CREATE OR REPLACE VIEW judge_batches AS SELECT * FROM grading.judge_batches;
CREATE OR REPLACE VIEW labels AS SELECT * FROM grading.labels;
