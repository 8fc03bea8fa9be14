import type { Cannot, Table } from '@roundhouse/kit'
import { kinds } from './kinds.ts'

/** What cannot be changed in a table, because of what it is or because of the rights of the role. */

/**
 * SQL of what a table takes from this role, read by {@link cannotOf}: first what the table takes, then what the role may
 * do, each as the bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete. `c` is a row of pg_class.
 * @param isUnknown SQL of a condition under which the answer for a view would wait for a lock: then it takes all
 */
export const takenChanges = (isUnknown = 'false') => `
	case when c.relkind in ('r', 'p') or ${isUnknown} then 28
		when c.relkind = 'f' and not exists (select from pg_foreign_table f join pg_foreign_server s on s.oid = f.ftserver
			join pg_foreign_data_wrapper w on w.oid = s.srvfdw where f.ftrelid = c.oid and w.fdwhandler <> 0) then 0
		else pg_relation_is_updatable(c.oid, false) end,
	case when has_any_column_privilege(c.oid, 'update') then 4 else 0 end
		+ case when has_any_column_privilege(c.oid, 'insert') then 8 else 0 end
		+ case when has_table_privilege(c.oid, 'delete') then 16 else 0 end`

const bits = { update: 4, insert: 8, delete: 16 } as const

/** The numbers are those of {@link takenChanges}. */
interface Taken {
	/** `relkind` of pg_class. */
	readonly kind: string
	readonly taken: number
	readonly rights: number
	/** `false` if the role can read neither a key nor the place of a row. Default: `true` */
	readonly isIdentified?: boolean
}

/** Returns what a table never takes, and what the role may not change. */
export function cannotOf({ kind, taken, rights, isIdentified = true }: Taken): Pick<Table, 'cannot'> {
	const cannot = { ...(!isIdentified && unidentified), ...lackOf(rights), ...refusedBy(kind, taken) }
	return Object.keys(cannot).length === 0 ? {} : { cannot }
}

/** A change would find all rows with the same values. */
const unreadable = 'Your role may not read what identifies a row here, so no row can be changed. Use the console.'
const unidentified: Cannot = { update: unreadable, delete: unreadable }

function lackOf(rights: number): Cannot {
	const lacking = Object.entries(bits).filter(([, bit]) => (rights & bit) === 0)
	return Object.fromEntries(
		lacking.map(([kind]) => [
			kind,
			`Your role lacks the right ${kind.toUpperCase()} on this table. The owner of the table can grant it.`,
		]),
	)
}

function refusedBy(kind: string, taken: number): Cannot {
	if (kind === 'r' || kind === 'p') return {}
	const what = `A ${kinds[kind] ?? 'table'}`
	if (kind === 'm') return all(`${what} takes no changes. Refresh it instead.`)
	// Its rows have no key by which a change could find them.
	const rows = `${what} has no key, so its rows cannot be changed here. Use the console.`
	const takes = (change: keyof typeof bits) => (taken & bits[change]) !== 0
	const never = (changes: string) => `${what} that is defined like this takes no ${changes}.`
	return {
		...(!takes('insert') && { insert: never('new rows') }),
		update: takes('update') ? rows : never('changes'),
		delete: takes('delete') ? rows : never('deletions'),
	}
}

const all = (reason: string) => ({ insert: reason, update: reason, delete: reason })
