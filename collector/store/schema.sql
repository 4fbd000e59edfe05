-- The store, version 4. Everything is an append: canonical rows carry (run_id, build) and are read through views of the
-- newest build. No keys, constraints, indexes, sequences or enums (measured: an index cost half the throughput; and
-- DuckLake, which this is to move to, has none). UPDATE and DELETE belong to maintenance alone.
-- Physical tables live in the schemas `evidence` and `canonical`; people read the views of the same names in `main`
-- (views.sql).

CREATE SCHEMA IF NOT EXISTS evidence;
CREATE SCHEMA IF NOT EXISTS canonical;

CREATE TABLE IF NOT EXISTS evidence.about (
    key   VARCHAR,   -- schema_version, created_at, created_by, store_id
    value VARCHAR
);

-- One row a commit, written in its transaction: the ledger. One without spans and logs appended trees or gradings.
CREATE TABLE IF NOT EXISTS evidence.commits (
    seq          UBIGINT,       -- rises by one with every commit
    committed_at TIMESTAMP_NS,
    spans        UBIGINT,       -- rows stored
    logs         UBIGINT,
    duplicates   UBIGINT        -- rows that were delivered before and left out
);

-- Which commits hold rows of which trace: finds a trace's rows without reading the whole table (no index needed, since
-- commit_seq rises with storage order and prunes row groups), and tells which traces are newer than their tree.
CREATE TABLE IF NOT EXISTS evidence.arrivals (
    seq UBIGINT, trace_id VARCHAR
);

-- Spans as delivered. Attributes are JSON text (the truth); what JSON cannot hold stands in `beside`.
CREATE TABLE IF NOT EXISTS evidence.spans (
    commit_seq                 UBIGINT,
    commit_row                 UINTEGER,     -- its number within the commit
    trace_id                   VARCHAR,      -- 32 lower-case hex digits
    span_id                    VARCHAR,      -- 16
    parent_span_id             VARCHAR,      -- null: a root
    trace_state                VARCHAR,
    flags                      UINTEGER,
    name                       VARCHAR,
    kind                       INTEGER,      -- OTLP's number, unknown ones too
    start_ns                   UBIGINT,      -- raw, as delivered
    end_ns                     UBIGINT,
    start_time                 TIMESTAMP_NS, -- null for 0 and where it does not fit (after 2262)
    end_time                   TIMESTAMP_NS, -- likewise
    duration_ns                UBIGINT,      -- 0 where end precedes start
    status_code                INTEGER,
    status_message             VARCHAR,
    attributes                 VARCHAR,      -- JSON object; of a duplicate key the last value
    dropped_attributes_count   UINTEGER,
    events                     VARCHAR,      -- JSON list of {name, time_unix_nano, attributes, dropped_attributes_count}
    dropped_events_count       UINTEGER,
    links                      VARCHAR,      -- JSON list of {trace_id, span_id, trace_state, attributes, dropped_attributes_count, flags}
    dropped_links_count        UINTEGER,
    resource                   VARCHAR,      -- JSON object
    resource_dropped_attributes_count UINTEGER,
    resource_schema_url        VARCHAR,
    resource_entity_refs       VARCHAR,      -- JSON list, null where none
    scope_name                 VARCHAR,
    scope_version              VARCHAR,
    scope_attributes           VARCHAR,      -- JSON object, null where none
    scope_dropped_attributes_count UINTEGER,
    scope_schema_url           VARCHAR,
    -- promoted, since people filter by them; always the first of their names that the span has
    service_name               VARCHAR,      -- resource service.name
    operation                  VARCHAR,      -- gen_ai.operation.name
    span_kind                  VARCHAR,      -- openinference.span.kind, traceloop.span.kind
    agent_name                 VARCHAR,      -- gen_ai.agent.name, agent.name, agent_name
    conversation_id            VARCHAR,      -- gen_ai.conversation.id, session.id
    provider                   VARCHAR,      -- gen_ai.provider.name, gen_ai.system, llm.provider, llm.system
    request_model              VARCHAR,      -- gen_ai.request.model, llm.model_name
    response_model             VARCHAR,      -- gen_ai.response.model
    response_id                VARCHAR,      -- gen_ai.response.id
    tool_name                  VARCHAR,      -- gen_ai.tool.name, tool.name
    tool_call_id               VARCHAR,      -- gen_ai.tool.call.id, tool_call.id, tool.id
    input_tokens               BIGINT,       -- gen_ai.usage.input_tokens, llm.token_count.prompt
    output_tokens              BIGINT,       -- gen_ai.usage.output_tokens, llm.token_count.completion
    cost_usd                   DOUBLE,       -- gen_ai.usage.cost, llm.cost.total, operation.cost
    error_type                 VARCHAR,      -- error.type
    job_id                     VARCHAR,      -- tracegrade.job.id
    case_name                  VARCHAR,      -- test.case.name (span, else resource)
    suite_name                 VARCHAR,      -- test.suite.name (span, else resource)
    batch                      VARCHAR,      -- tracegrade.batch, cicd.pipeline.run.id (span, else resource)
    beside                     VARCHAR,      -- JSON list of {at, kind, value}: bytes, not_finite, duplicate_key, invalid_utf8, too_deep, bad_parent, bad_link
    content_hash               VARCHAR       -- 32 hex digits over everything delivered
);

-- Logs as delivered.
CREATE TABLE IF NOT EXISTS evidence.logs (
    commit_seq                 UBIGINT,
    trace_id                   VARCHAR,      -- null where the record names none
    span_id                    VARCHAR,
    flags                      UINTEGER,
    time_ns                    UBIGINT,
    observed_ns                UBIGINT,
    time                       TIMESTAMP_NS, -- of time_ns, else of observed_ns
    severity_number            INTEGER,
    severity_text              VARCHAR,
    event_name                 VARCHAR,      -- the field, else the attribute event.name
    body                       VARCHAR,      -- JSON of the AnyValue
    attributes                 VARCHAR,
    dropped_attributes_count   UINTEGER,
    resource                   VARCHAR,
    resource_dropped_attributes_count UINTEGER,
    resource_schema_url        VARCHAR,
    resource_entity_refs       VARCHAR,
    scope_name                 VARCHAR,
    scope_version              VARCHAR,
    scope_attributes           VARCHAR,
    scope_dropped_attributes_count UINTEGER,
    scope_schema_url           VARCHAR,
    service_name               VARCHAR,
    conversation_id            VARCHAR,
    beside                     VARCHAR,
    content_hash               VARCHAR
);

-- Revisions of a span that a richer one replaced: few, so that the view below costs no sort of all spans.
CREATE TABLE IF NOT EXISTS evidence.superseded (commit_seq UBIGINT, commit_row UINTEGER);

-- Rows that the database refused by themselves, so that one bad row costs neither the others of its group nor what it said.
CREATE TABLE IF NOT EXISTS evidence.quarantine (
    commit_seq UBIGINT, kind VARCHAR, trace_id VARCHAR, span_id VARCHAR,
    reason VARCHAR,      -- unstorable
    "row"  VARCHAR       -- JSON in ASCII: its columns as they were to be stored
);

-- Batches of the generic channel that were appended: a repeated one changes nothing.
CREATE TABLE IF NOT EXISTS evidence.batches (batch_id VARCHAR, appended_at TIMESTAMP_NS);

-- What was deleted is refused when it is sent again: trace ids, and content hashes of log records without a trace.
CREATE TABLE IF NOT EXISTS evidence.tombstones (kind VARCHAR, key VARCHAR, deleted_at TIMESTAMP_NS);

-- What a trace offers and wants (a linked span, a job id, a call id), so that traces find each other in any order.
CREATE TABLE IF NOT EXISTS canonical.references (
    trace_id VARCHAR,
    build    UBIGINT,
    kind     VARCHAR,   -- link, job
    key      VARCHAR,   -- link: the trace id that is linked to; job: a declared job id
    role     VARCHAR    -- offers, wants
);

-- Which rows a trace's newest tree was built from, and by what.
CREATE TABLE IF NOT EXISTS canonical.builds (
    trace_id   VARCHAR,
    build      UBIGINT,
    upto_seq   UBIGINT,   -- arrivals beyond this are not in the tree yet
    normalizer VARCHAR,   -- whose parts stand in canonical.normalizers
    dialects   VARCHAR[]  -- that spoke about its spans
);

-- The parts that a normalizer was made of, written with its first build: after an upgrade the trees are found that a
-- changed part had a hand in.
CREATE TABLE IF NOT EXISTS canonical.normalizers (
    normalizer VARCHAR,   -- hash over all its parts
    part       VARCHAR,   -- a dialect's name, or assembler
    version    VARCHAR    -- hash of the part's sources
);

CREATE TABLE IF NOT EXISTS canonical.runs (
    run_id        VARCHAR,
    build         UBIGINT,
    absorbed_by   VARCHAR,      -- the run that a later join merged this one into ('' where it is a run no more); the others are null then
    trace_id      VARCHAR,      -- of the root job
    service       VARCHAR,
    agent         VARCHAR,
    status        VARCHAR,
    error         VARCHAR,
    input         VARCHAR,      -- text, or JSON where it is structured
    reply         VARCHAR,
    conversation_id VARCHAR,
    case_name     VARCHAR,
    suite_name    VARCHAR,
    batch         VARCHAR,
    started       TIMESTAMP_NS,
    ended         TIMESTAMP_NS,
    seconds       DOUBLE,
    open          BOOLEAN,      -- the root has not ended
    last_arrival  TIMESTAMP_NS, -- when its newest evidence was committed
    jobs          UINTEGER,
    tool_calls    UINTEGER,
    model_calls   UINTEGER,
    input_tokens  UBIGINT,      -- sum over model calls; null where none was captured
    output_tokens UBIGINT,
    cost_usd      DOUBLE,
    capture       VARCHAR,      -- JSON {kind: {state, reasons}}
    attributes    VARCHAR,      -- JSON: what a suite may select by
    dialects      VARCHAR[],
    tree_digest   VARCHAR,
    messages_digest VARCHAR,    -- of its rows in messages, which the tree's does not cover
    tree          VARCHAR       -- JSON of the whole run (collector/tree.py), without its messages
);

CREATE TABLE IF NOT EXISTS canonical.run_members (
    run_id VARCHAR, build UBIGINT,
    trace_id VARCHAR,
    reason   VARCHAR            -- root, link, job id
);

CREATE TABLE IF NOT EXISTS canonical.jobs (
    run_id VARCHAR, build UBIGINT,
    job_id          VARCHAR,
    parent_job_id   VARCHAR,
    depth           UINTEGER,
    trace_id        VARCHAR,
    agent           VARCHAR,
    via             VARCHAR,
    status          VARCHAR,
    error           VARCHAR,
    conversation_id VARCHAR,
    input           VARCHAR,
    reply           VARCHAR,
    reply_source    VARCHAR,    -- declared or inferred, and from where
    started         TIMESTAMP_NS,
    ended           TIMESTAMP_NS,
    steps           UINTEGER,
    capture         VARCHAR,
    spans           VARCHAR[]
);

CREATE TABLE IF NOT EXISTS canonical.tool_calls (
    run_id VARCHAR, build UBIGINT,
    job_id               VARCHAR,
    seq                  UINTEGER,   -- order within the job
    call_id              VARCHAR,
    name                 VARCHAR,
    qualified            VARCHAR,
    kind                 VARCHAR,
    agent                VARCHAR,
    state                VARCHAR,
    arguments            VARCHAR,    -- JSON; null where not captured
    arguments_capture    VARCHAR,
    requested_arguments  VARCHAR,
    result               VARCHAR,    -- JSON
    result_capture       VARCHAR,
    error                VARCHAR,
    attempts             UINTEGER,
    started              TIMESTAMP_NS,
    ended                TIMESTAMP_NS,
    flags                VARCHAR[],    -- may_have_run (asked for; whether it ran is not recorded), suspected_duplicate, ambiguous_result, result_by_order, arguments_from_request
    spans                VARCHAR[]
);

CREATE TABLE IF NOT EXISTS canonical.model_calls (
    run_id VARCHAR, build UBIGINT,
    job_id VARCHAR, seq UINTEGER,
    model VARCHAR, provider VARCHAR, response_id VARCHAR, finish_reason VARCHAR,
    input_tokens UBIGINT, output_tokens UBIGINT, cache_read_tokens UBIGINT, cache_write_tokens UBIGINT,
    reasoning_tokens UBIGINT, cost_usd DOUBLE, error VARCHAR,
    started TIMESTAMP_NS, ended TIMESTAMP_NS, spans VARCHAR[]
);

CREATE TABLE IF NOT EXISTS canonical.delegations (
    run_id VARCHAR, build UBIGINT,
    parent_job_id VARCHAR, child_job_id VARCHAR, child_agent VARCHAR,
    mode VARCHAR, tool VARCHAR, call_id VARCHAR, payload VARCHAR, reason VARCHAR
);

CREATE TABLE IF NOT EXISTS canonical.approvals (
    run_id VARCHAR, build UBIGINT,
    job_id VARCHAR, tool VARCHAR, call_id VARCHAR, kind VARCHAR, decision VARCHAR, source VARCHAR,
    requested_arguments VARCHAR, final_arguments VARCHAR, reason VARCHAR,
    requested_at TIMESTAMP_NS, decided_at TIMESTAMP_NS, spans VARCHAR[]
);

CREATE TABLE IF NOT EXISTS canonical.skill_reads (
    run_id VARCHAR, build UBIGINT,
    job_id VARCHAR, name VARCHAR, resource VARCHAR, source VARCHAR, declared BOOLEAN, "at" TIMESTAMP_NS, spans VARCHAR[]
);

CREATE TABLE IF NOT EXISTS canonical.constraints (
    run_id VARCHAR, build UBIGINT,
    job_id VARCHAR, position UINTEGER, text VARCHAR
);

CREATE TABLE IF NOT EXISTS canonical.retrievals (
    run_id VARCHAR, build UBIGINT,
    job_id VARCHAR, query VARCHAR, documents VARCHAR, "at" TIMESTAMP_NS, spans VARCHAR[]
);

-- The conversation of each job, every message once, however many model calls repeat it.
CREATE TABLE IF NOT EXISTS canonical.messages (
    run_id VARCHAR, build UBIGINT,
    job_id   VARCHAR,
    position UINTEGER,      -- order within the job
    role     VARCHAR,       -- system, user, assistant, tool
    text     VARCHAR,       -- what was said, of a tool message the result; null where there are no words or they were not captured
    calls    VARCHAR,       -- JSON list of {id, name}: what an assistant asks for; null where nothing
    call_id  VARCHAR,       -- the call that a tool message answers
    finish   VARCHAR,
    "at"     TIMESTAMP_NS,  -- when the model call that was given it began, or the one that made it ended
    flags    VARCHAR[],     -- break (the model call was given another history than what stands above), alternative (a further choice), error, not_text, redacted, truncated, unreadable_json
    spans    VARCHAR[]      -- of that model call
);

-- Builds that a newer one replaced, written with it.
CREATE TABLE IF NOT EXISTS canonical.replaced (
    run_id VARCHAR, build UBIGINT
);
