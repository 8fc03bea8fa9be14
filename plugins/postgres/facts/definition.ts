import type { FactSection } from '@roundhouse/kit'
import { type QualifiedName, qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { createTable } from './create-table.ts'
import { createView, viewDefaults } from './create-view.ts'
import { codeSection } from './section.ts'
import { ownedSequences, owners } from './sequences.ts'
import { partsOfTable, partsOfView } from './table-parts.ts'

/** Queries of `codeSection` about the table `self`. */
const ofView: readonly string[] = [createView, viewDefaults, ...partsOfView]
const ofTable: readonly string[] = [ownedSequences, createTable, owners, ...partsOfTable]

/** A table as the catalog knows it. */
export interface CatalogedTable {
	readonly place: QualifiedName
	readonly oid: string
	/** `relkind` of pg_class. */
	readonly kind: string
}

/**
 * Returns the definition of a table as SQL that makes the same table again. The server writes most of it; only CREATE
 * TABLE has no function. Types, functions and tables that it refers to must exist. Owner, rights and rows are left out.
 */
export function definitionOf(
	session: Session,
	{ place, oid, kind }: CatalogedTable,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	const queries = kind === 'v' || kind === 'm' ? ofView : ofTable
	const self = { oid, name: qualified(place) }
	return codeSection(session, { title: 'Definition', queries, self }, signal)
}
