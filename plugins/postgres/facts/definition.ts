import type { Shape } from '../catalog/shape.ts'
import { qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { createTable } from './create-table.ts'
import { createView, viewDefaults } from './create-view.ts'
import { withFullNames } from './section.ts'
import { ownedSequences, owners } from './sequences.ts'
import { partsOfTable, partsOfView } from './table-parts.ts'

/**
 * Each query returns statements, in the order in which they run. It reads `self`, which has the `oid` and the qualified
 * `name` of the table.
 */
const ofView: readonly string[] = [createView, viewDefaults, ...partsOfView]
const ofTable: readonly string[] = [ownedSequences, createTable, owners, ...partsOfTable]

/**
 * Returns the definition of a table as SQL that makes the same table again. The server writes most of it; only CREATE
 * TABLE has no function. Types, functions and tables that it refers to must exist. Owner, rights and rows are left out.
 */
export async function definitionOf(session: Session, shape: Shape, signal: AbortSignal): Promise<string> {
	const queries = shape.kind === 'v' || shape.kind === 'm' ? ofView : ofTable
	const sql = `with self(oid, name) as (values ($1::oid, $2::text)) ${withFullNames(queries)}`
	const { rows } = await session.read({ sql, values: [shape.oid, qualified(shape.place)] }, signal)
	return rows.map(([statement]) => `${statement};`).join('\n')
}
