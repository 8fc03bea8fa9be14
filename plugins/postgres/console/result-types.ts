import type { Column } from '@roundhouse/kit'
import { kindOf } from '../catalog/types.ts'
import type { Field } from '../wire/protocol.ts'
import type { Session } from '../wire/session.ts'
import { arrayOf } from './volatile.ts'

/** Names of types by oid, read once for each connection. */
export class ResultTypes {
	readonly #known = new Map<number, { readonly base: string; readonly type: string }>()

	/** Looks up the types that are not known yet. An open transaction stays open. */
	async read(session: Session, fields: readonly Field[], signal: AbortSignal): Promise<void> {
		const missing = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))].filter(oid => !this.#known.has(oid))
		// In a failed transaction the server answers nothing.
		if (missing.length === 0 || session.transaction === 'failed') return
		const sql = `select oid, typname, typtype from pg_catalog.pg_type where oid = any ($1::oid[])`
		const query = { sql, values: [arrayOf(missing.map(String))] }
		const { rows } = await session.read(query, signal, { path: 'own' })
		for (const [oid, base, type] of rows) this.#known.set(Number(oid), { base: base ?? '', type: type ?? '' })
	}

	columns(fields: readonly Field[]): readonly (Column & { readonly base: string })[] {
		const seen = new Map<string, number>()
		return fields.map(({ name, dataTypeID }) => {
			const { base = '', type = 'b' } = this.#known.get(dataTypeID) ?? {}
			const count = (seen.get(name) ?? 0) + 1
			seen.set(name, count)
			const unique = count === 1 ? name : `${name} (${count})`
			const kind = kindOf(base, type)
			return { name: unique, type: nameOf(base), kind, base, isKey: false, isReadOnly: true, isSortable: false }
		})
	}
}

/** Types by their names in SQL. */
const names: Readonly<Record<string, string>> = {
	int2: 'smallint',
	int4: 'integer',
	int8: 'bigint',
	float4: 'real',
	float8: 'double precision',
	bool: 'boolean',
	bpchar: 'character',
}
const nameOf = (base: string) =>
	base.startsWith('_') ? `${names[base.slice(1)] ?? base.slice(1)}[]` : (names[base] ?? base)
