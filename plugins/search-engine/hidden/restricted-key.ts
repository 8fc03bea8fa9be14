import type { HiddenColumns, Table } from '@roundhouse/kit'

/** The request of an API key that may read all but hidden fields. The cluster then keeps them from it, whatever is asked. */

interface Asked {
	readonly hidden: readonly HiddenColumns[]
	/** All that the cluster lists. */
	readonly tables: readonly Table[]
}

export function keyRequest({ hidden, tables }: Asked): string {
	const isIndex = ({ kind }: Table) => kind === undefined || kind === 'index'
	const marked = hidden.map(({ table, columns }) => ({
		names: [table],
		privileges: ['read', 'view_index_metadata'],
		// Sub-fields have the value too.
		field_security: { grant: ['*'], except: columns.flatMap(column => [column, `${column}.*`]) },
	}))
	const names = new Set(hidden.map(({ table }) => table))
	// Entries of one index add up, so no other entry may have its name, also not by an alias, a stream or a pattern.
	const others = tables.filter(one => isIndex(one) && !names.has(one.name)).map(({ name }) => name)
	const free = others.length > 0 ? [{ names: others, privileges: ['read', 'view_index_metadata'] }] : []
	const body = {
		name: 'roundhouse-ai',
		role_descriptors: { roundhouse_ai: { cluster: ['monitor'], indices: [...marked, ...free] } },
	}
	return [
		'# An API key that the cluster itself keeps from hidden fields. It needs a licence with field level security.',
		'# Remove the names of indices that AI clients need not read. Aliases, data streams and new indices are left out.',
		'# Fields that copy_to fills, and runtime fields, can have the values too: add them to "except".',
		'POST /_security/api_key',
		JSON.stringify(body, undefined, 2),
		'',
	].join('\n')
}
