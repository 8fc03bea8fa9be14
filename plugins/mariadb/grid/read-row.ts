import { DriverError, type Encoded, encodeWithRaw, type WholeRow } from '@roundhouse/kit'
import { documentOf } from '@roundhouse/sql'
import { printed, type Shape } from '../catalog/shape.ts'
import { insertAgain, jsonNullsIn, sideEffects } from '../edit/insert-again.ts'
import { qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { cellOf } from './cells.ts'
import { identityIn, identityOf, isRow, textsIn } from './row-key.ts'

/** Reads one row whole. @throws DriverError `not_found` */
export async function readRow(
	session: Session,
	{ shape, id }: { readonly shape: Shape; readonly id: string },
	signal: AbortSignal,
): Promise<Encoded<WholeRow>> {
	const names = shape.columns.map(({ name }) => name)
	const selected = [...shape.columns.map(printed), ...identityOf(shape)]
	const sql = `select ${selected.join(', ')} from ${qualified(shape.place)} where ${isRow(shape, id)} limit 1`
	const [found, effects] = await session.readAll([{ sql }, sideEffects(shape)], signal)
	const [values] = found?.rows ?? []
	if (!values) throw new DriverError('not_found', `There is no row ${id}.`)
	const identity = textsIn(values.slice(names.length))
	const { version = '' } = identityIn(identity)
	const cells = shape.columns.map((column, at) => cellOf(column, values[at] ?? null))
	const again = insertAgain(shape, { hasSideEffects: String(effects?.rows[0]?.[0]) !== '0', cells })
	const raw = Buffer.from(documentOf(names, cells))
	const jsonNulls = jsonNullsIn(shape, cells)
	return encodeWithRaw({ id, version, meta: {}, jsonNulls, ...(again && { insertAgain: again }), raw })
}
