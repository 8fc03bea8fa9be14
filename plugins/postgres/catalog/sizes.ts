/** Sizes of tables as SQL that never waits: a function that measures a table waits until another session unlocks it. */

/** SQL of the condition that a row `l` of pg_locks excludes all others from a relation of this database, or waits for that. */
export const exclusive = `l.locktype = 'relation' and l.mode = 'AccessExclusiveLock'
		and l.database = (select oid from pg_database where datname = current_database())`

/**
 * SQL of an array of the tables that another session has locked, or waits to lock, so that not even a size can be read. A
 * lock of an index or of the TOAST table is one of its table.
 */
export const lockedTables = `array(
	select coalesce(t.oid, i.indrelid, l.relation) from pg_locks l left join pg_index i on i.indexrelid = l.relation
	left join pg_class t on t.reltoastrelid = coalesce(i.indrelid, l.relation)
	where ${exclusive} and l.pid is distinct from pg_backend_pid())`

/** Returns SQL of a size, or of what else opens the table; NULL while it is locked. @param table its oid */
export const measured = (table: string, size: string) => unlocked(table, size, 'null')

/** Returns SQL of a text for people that the server computes from an open table. @param table its oid */
export const written = (table: string, text: string) => unlocked(table, text, "'locked'")

const unlocked = (table: string, value: string, otherwise: string) =>
	`case when ${table} = any (${lockedTables}) then ${otherwise} else ${value} end`

/** Returns SQL of a size for people. @param size NULL while the table is locked */
export const sizeWords = (size: string) => `coalesce(pg_size_pretty(${size}), 'locked')`

/** Returns SQL of a sum of sizes, or of NULL if one of them is. */
export const sumOf = (size: string) =>
	`case when bool_and(${size} is not null) is not false then coalesce(sum(${size}), 0) end`

/**
 * Returns a query of the oids of all partitions below a row `c` of pg_class. The server's own function for that locks
 * each of them.
 */
export const partitionsBelow = `
	with recursive tree(oid) as (select i.inhrelid from pg_inherits i where c.relkind = 'p' and i.inhparent = c.oid
		union all select i.inhrelid from tree join pg_inherits i on i.inhparent = tree.oid)
	select oid from tree`
