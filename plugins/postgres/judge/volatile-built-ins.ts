/** Volatile functions of PostgreSQL that a read may call, with the reason. All others are left to a question. */
export const volatileBuiltIns: Readonly<Record<string, string>> = {
	...of('It returns the time.', 'clock_timestamp() timeofday()', 'timezone(text, time with time zone)'),
	...of(
		'It returns chance.',
		'random() random_normal(double precision, double precision) random(bigint, bigint) random(integer, integer) random(numeric, numeric)',
		'gen_random_uuid() uuidv4() uuidv7() uuidv7(interval) array_sample(anyarray, integer) array_shuffle(anyarray)',
	),
	...of(
		'It waits, within the time limit of the call.',
		'pg_sleep(double precision) pg_sleep_for(interval) pg_sleep_until(timestamp with time zone)',
	),
	...of(
		'It measures what is stored.',
		'pg_database_size(name) pg_database_size(oid) pg_tablespace_size(name) pg_tablespace_size(oid)',
		'pg_relation_size(regclass) pg_relation_size(regclass, text) pg_table_size(regclass) pg_indexes_size(regclass) pg_total_relation_size(regclass)',
		'pg_partition_ancestors(regclass) pg_partition_tree(regclass)',
	),
	...of(
		'It returns the state of the server, of its sessions or of its transactions.',
		'current_query() pg_is_in_recovery() pg_is_in_backup() pg_jit_available() pg_blocking_pids(integer) pg_safe_snapshot_blocking_pids(integer) pg_lock_status()',
		'pg_current_wal_flush_lsn() pg_current_wal_insert_lsn() pg_current_wal_lsn() pg_last_wal_receive_lsn() pg_last_wal_replay_lsn() pg_last_xact_replay_timestamp() pg_is_wal_replay_paused() pg_get_wal_replay_pause_state()',
		'pg_control_checkpoint() pg_control_init() pg_control_recovery() pg_control_system() pg_notification_queue_usage() pg_prepared_xact() pg_show_all_file_settings() pg_show_replication_origin_status()',
		'pg_last_committed_xact() pg_xact_commit_timestamp(xid) pg_xact_commit_timestamp_origin(xid) pg_xact_status(xid8) txid_status(bigint) pg_get_multixact_members(xid)',
		'pg_get_wait_events() pg_get_shmem_allocations() pg_get_backend_memory_contexts() pg_get_loaded_modules() pg_get_aios() pg_get_wal_resource_managers() pg_get_wal_summarizer_state()',
		'pg_collation_actual_version(oid) pg_database_collation_actual_version(oid)',
	),
	...of(
		'It returns what the server has counted.',
		'pg_stat_get_io() pg_stat_get_backend_io(integer) pg_stat_get_backend_wal(integer) pg_stat_get_recovery_prefetch() pg_stat_have_stats(text, oid, bigint) pg_stat_have_stats(text, oid, oid)',
		'pg_stat_get_xact_blocks_fetched(oid) pg_stat_get_xact_blocks_hit(oid) pg_stat_get_xact_function_calls(oid) pg_stat_get_xact_function_self_time(oid) pg_stat_get_xact_function_total_time(oid) pg_stat_get_xact_numscans(oid)',
		'pg_stat_get_xact_tuples_deleted(oid) pg_stat_get_xact_tuples_fetched(oid) pg_stat_get_xact_tuples_hot_updated(oid) pg_stat_get_xact_tuples_inserted(oid) pg_stat_get_xact_tuples_newpage_updated(oid) pg_stat_get_xact_tuples_returned(oid) pg_stat_get_xact_tuples_updated(oid)',
	),
	...of('It returns where a sequence is, and does not move it.', 'pg_sequence_last_value(regclass)'),
}

function of(reason: string, ...lists: readonly string[]): Readonly<Record<string, string>> {
	const signatures = lists.flatMap(list => list.match(/\w+\([^)]*\)/g) ?? [])
	return Object.fromEntries(signatures.map(signature => [signature, reason]))
}
