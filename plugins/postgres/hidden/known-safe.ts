/**
 * What a statement may use while columns are hidden. The server resolves names to functions, so a function counts by its
 * name, with all its forms.
 */

/** Built-in functions that are not immutable, and read no table, no statistics, no session and no file. */
export const stableFunctions =
	'age array_to_json array_to_string clock_timestamp col_description concat concat_ws convert_from convert_to current_database current_schema current_setting date date_add date_bin date_part date_subtract date_trunc extract format format_type gen_random_uuid generate_series interval isfinite json_agg json_agg_strict json_array json_arrayagg json_array_element json_build_array json_build_object json_object json_object_agg json_objectagg json_populate_record json_populate_recordset json_query json_scalar json_serialize json_strip_nulls json_table json_to_record json_to_recordset json_to_tsvector json_value jsonb_build_array jsonb_build_object jsonb_object jsonb_path_exists_tz jsonb_path_match_tz jsonb_path_query_array_tz jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_to_record jsonb_to_recordset jsonb_to_tsvector length lower make_timestamptz now numeric obj_description overlaps pg_column_size pg_get_viewdef pg_size_pretty pg_typeof phraseto_tsquery plainto_tsquery quote_literal quote_nullable random random_normal row_to_json statement_timestamp text time timeofday timestamp timestamptz timetz timezone to_char to_date to_json to_jsonb to_regclass to_regtype to_timestamp to_tsquery to_tsvector transaction_timestamp ts_debug ts_headline ts_lexize upper uuidv4 uuidv7 version websearch_to_tsquery xmlexists'.split(
		' ',
	)

/** Immutable ones that run a text as a query, and those of an extension that show the statements of others. */
export const deniedFunctions = ['ts_stat', 'ts_rewrite', 'pg_stat_statements', 'pg_stat_statements_info']

/** Tables and views of `pg_catalog` without values of the user's rows. */
export const systemRelations: ReadonlySet<string> = new Set(
	'pg_am pg_attribute pg_class pg_collation pg_constraint pg_database pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits pg_matviews pg_namespace pg_proc pg_range pg_roles pg_settings pg_stat_all_tables pg_stat_user_tables pg_tables pg_timezone_names pg_trigger pg_type pg_views'.split(
		' ',
	),
)

/**
 * Columns of these with values: the bounds of partitions, counts of the rows in an index with a condition, and the values of
 * rows that are older than a column.
 */
export const systemColumns: Readonly<Record<string, readonly string[]>> = {
	pg_class: ['relpartbound', 'reltuples', 'relpages', 'relallvisible', 'relallfrozen'],
	pg_attribute: ['attmissingval'],
}
