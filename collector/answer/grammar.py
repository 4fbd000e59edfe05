"""What free SQL may be made of: an allow-list of DuckDB's own node types, functions and relations.

What is not named here is refused. Left out on purpose: whatever reads files, settings, secrets or the catalog, whatever
writes, and what makes huge values outside of DuckDB's memory limit and time limit (repeat, lpad, range as a list).
"""

RELATIONS = frozenset(
    {
        "spans",
        "span_revisions",
        "quarantine",
        "logs",
        "runs",
        "run_aliases",
        "run_members",
        "jobs",
        "tool_calls",
        "model_calls",
        "delegations",
        "approvals",
        "skill_reads",
        "constraints",
        "retrievals",
        "messages",
    }
)
"""The views that people read; an extension's tables are added to them."""

QUERY_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE"})
TABLE_NODES = frozenset({"BASE_TABLE", "JOIN", "SUBQUERY", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY", "SHOW_REF"})
MODIFIERS = frozenset({"ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER"})
ORDERS = frozenset({"ORDER_DEFAULT", "ASCENDING", "DESCENDING"})

EXPRESSIONS = frozenset(
    {
        "BETWEEN",
        "CASE",
        "CAST",
        "COLUMN_REF",
        "COMPARISON",
        "CONJUNCTION",
        "CONSTANT",
        "FUNCTION",
        "LAMBDA",
        "LAMBDA_REF",
        "OPERATOR",
        "POSITIONAL_REFERENCE",
        "STAR",
        "SUBQUERY",
        "TYPE",
        "WINDOW",
    }
)
"""Classes of expressions."""

TABLE_FUNCTIONS = frozenset({"generate_series", "range", "unnest", "json_each"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPERATORS = _words(
    "+ - * / // % ** ^ & | ~ << >> || -> ->> @> <@ && ! !__postfix ~~ !~~ ~~* !~~* ~~~ ^@ @ = <> < > <= >= __between"
)

SCALARS = _words("""
    abs acos asin atan atan2 bit_count cbrt ceil ceiling cos cot degrees divide even exp fdiv floor fmod gcd greatest isfinite
    isinf
    isnan lcm least ln log log10 log2 mod multiply pi pow power radians round round_even sign signbit sin sqrt subtract tan
    trunc add xor

    ascii bit_length chr char_length character_length concat concat_ws contains damerau_levenshtein ends_with
    format_bytes from_base64 from_hex hamming hash hex instr jaccard jaro_similarity jaro_winkler_similarity lcase left
    length levenshtein like_escape lower ltrim md5 nfc_normalize not_like_escape ilike_escape not_ilike_escape octet_length ord
    position prefix
    regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace
    regexp_split_to_array replace reverse right rtrim sha256 split split_part starts_with str_split str_split_regex
    string_split string_split_regex string_to_array strip_accents strlen strpos substr substring suffix to_base64 to_hex
    translate trim ucase unhex unicode upper url_decode url_encode array_to_string

    age century current_date current_timestamp date_add date_diff date_part date_sub date_trunc datediff datepart datesub
    datetrunc day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us era get_current_timestamp hour
    isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns microsecond
    millennium millisecond minute month monthname nanosecond now quarter second strftime strptime time_bucket timezone
    timezone_hour timezone_minute to_days to_hours to_microseconds to_milliseconds to_minutes to_months to_seconds
    to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek ago

    array_contains array_distinct array_extract array_filter array_has array_has_all array_has_any array_indexof array_length
    array_position array_reverse_sort array_slice array_sort array_transform array_unique array_value array_append
    array_prepend array_concat array_cat array_intersect cardinality element_at filter flatten len list_aggr list_aggregate
    list_append list_apply list_cat list_concat list_contains list_distinct list_element list_extract list_filter list_has
    list_has_all list_has_any list_indexof list_intersect list_pack list_position list_prepend list_reduce list_reverse
    list_reverse_sort list_select list_slice list_sort list_transform list_unique list_value list_where list_zip
    list_any_value list_avg list_count list_first list_last list_max list_median list_min list_mode list_string_agg list_sum
    map map_concat map_contains map_entries map_extract map_extract_value map_from_entries map_keys map_values row struct_concat
    struct_extract struct_extract_at struct_insert struct_keys struct_pack struct_values unnest

    from_json json json_array json_array_length json_contains json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_keys json_merge_patch json_object json_pretty json_quote json_structure
    json_transform json_type json_valid json_value row_to_json to_json array_to_json

    coalesce if ifnull nullif typeof
""")

AGGREGATES = _words("""
    any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax
    argmin array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp
    entropy favg first fsum geomean geometric_mean group_concat histogram json_group_array json_group_object kurtosis last list
    listagg mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile sem skewness stddev stddev_pop
    stddev_samp string_agg sum sumkahan var_pop var_samp variance
""")

WINDOWS = _words("""
    row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill
""")

OURS = _words("attribute")
"""Functions of the store itself (`views.sql`)."""

FUNCTIONS = OPERATORS | SCALARS | AGGREGATES | OURS
