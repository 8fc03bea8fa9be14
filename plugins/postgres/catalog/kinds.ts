/** By `relkind` of pg_class. A plain table has no word. */
export const kinds: Readonly<Record<string, string>> = {
	p: 'partitioned table',
	v: 'view',
	m: 'materialized view',
	f: 'foreign table',
}
