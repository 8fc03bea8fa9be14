import type { FactSection } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'
import { qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { createTable } from './create-table.ts'
import { createView, viewDefaults } from './create-view.ts'
import { codeSection } from './section.ts'
import { ownedSequences, owners } from './sequences.ts'
import { partsOfTable, partsOfView } from './table-parts.ts'

/** Queries of `codeSection` about the table `self`. */
const ofView: readonly string[] = [createView, viewDefaults, ...partsOfView]
const ofTable: readonly string[] = [ownedSequences, createTable, owners, ...partsOfTable]

/**
 * Returns the definition of a table as SQL that makes the same table again. The server writes most of it; only CREATE
 * TABLE has no function. Types, functions and tables that it refers to must exist. Owner, rights and rows are left out.
 */
export function definitionOf(session: Session, shape: Shape, signal: AbortSignal): Promise<readonly FactSection[]> {
	const queries = shape.kind === 'v' || shape.kind === 'm' ? ofView : ofTable
	const self = { oid: shape.oid, name: qualified(shape.place) }
	return codeSection(session, { title: 'Definition', queries, self }, signal)
}
