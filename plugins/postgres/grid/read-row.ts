import { type Cell, type Encoded, encodeWithRaw, type WholeRow } from '@roundhouse/kit'
import { Parameters } from '@roundhouse/sql'
import type { Shape, ShapeColumn } from '../catalog/shape.ts'
import { insertAgain, sideEffects } from '../edit/insert-again.ts'
import { placeholder } from '../sql/binding.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session, TextRow } from '../wire/session.ts'
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
	const raw = Buffer.from(documentOf(shape.columns, values))
	return encodeWithRaw({ id, ...version, meta: {}, jsonNulls, ...(again && { insertAgain: again }), raw })
}

/** Returns a row as JSON. JSON values stay as they are written, and numbers keep their digits. */
function documentOf(columns: readonly ShapeColumn[], values: TextRow): string {
	const members = columns.map((column, at) => `${JSON.stringify(column.name)}:${jsonOf(column, values[at] ?? null)}`)
	return `{${members.join(',')}}`
}

function jsonOf(column: ShapeColumn, text: string | null): string {
	const cell: Cell = cellOf(column, text)
	if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell)
	if ('json' in cell) return cell.json
	if ('number' in cell) return cell.number
	return JSON.stringify('bytes' in cell ? cell.bytes : text)
}
