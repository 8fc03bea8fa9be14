import { type Encoded, encodeWithRaw, type WholeRow } from '@roundhouse/kit'
import { documentOf, Parameters } from '@roundhouse/sql'
import type { Shape } from '../catalog/shape.ts'
import { insertAgain, sideEffects } from '../edit/insert-again.ts'
import { placeholder } from '../sql/binding.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session } from '../wire/session.ts'
import { cellOf } from './cells.ts'
import { identityIn, identityOf, isRow, noRow, target } from './row-key.ts'

/** Reads one row whole. @throws DriverError `not_found` */
export async function readRow(
	session: Session,
	{ shape, id, guard }: { readonly shape: Shape; readonly id: string; readonly guard?: Query | undefined },
	signal: AbortSignal,
): Promise<Encoded<WholeRow>> {
	const parameters = new Parameters(placeholder)
	const condition = isRow(shape, id, parameters.bind)
	const columns = [...shape.columns.map(({ name }) => quoted(name)), ...identityOf(shape)]
	const sql = `select ${columns.join(', ')} from ${target(shape)} where ${condition} limit 1`
	const queries = [{ sql, values: parameters.values }, sideEffects(shape)]
	const [found, effects] = await session.readAll(queries, signal, { guard })
	const [values] = found?.rows ?? []
	if (!values) throw noRow(id)
	const { id: _, ...version } = identityIn(values.slice(shape.columns.length))
	const jsonNulls = shape.columns.flatMap(({ name, kind }, at) =>
		kind === 'json' && values[at]?.trim() === 'null' ? [name] : [],
	)
	const again = insertAgain(shape, { hasSideEffects: effects?.rows[0]?.[0] !== 'f', jsonNulls })
	const cells = shape.columns.map((column, at) => cellOf(column, values[at] ?? null))
	const raw = Buffer.from(
		documentOf(
			shape.columns.map(({ name }) => name),
			cells,
		),
	)
	return encodeWithRaw({ id, ...version, meta: {}, jsonNulls, ...(again && { insertAgain: again }), raw })
}
