import type { Column, Table, TableDescription } from '../../host/api/api.ts'

/** Tables and the keys between them, as a diagram shows them. Pure. */

export interface DiagramColumn {
	readonly column: Column
	/** Whether it refers to another table. */
	readonly isReference: boolean
}

export interface DiagramTable {
	readonly name: string
	readonly title: string
	readonly columns: readonly DiagramColumn[]
	readonly rows: Pick<Table, 'rowCount' | 'isRowCountEstimated'>
	/** Referred to from the shown tables, and not one of them: its columns were not read. */
	readonly isOutside: boolean
}

/** A foreign key of `from`. */
export interface Relation {
	readonly from: string
	readonly columns: readonly string[]
	readonly to: string
	readonly toColumns: readonly string[]
}

export interface SchemaGraph {
	readonly tables: readonly DiagramTable[]
	readonly relations: readonly Relation[]
}

/** How much of a table is drawn. */
export type Detail = 'names' | 'keys' | 'columns'

/** A table has more columns than a person reads in a diagram. */
export const mostColumns = 40

/** Returns the columns that are drawn, and how many are left out. */
export function shownColumns({ columns }: DiagramTable, detail: Detail) {
	if (detail === 'names') return { shown: [], left: 0 }
	const wanted = detail === 'keys' ? columns.filter(({ column, isReference }) => column.isKey || isReference) : columns
	return { shown: wanted.slice(0, mostColumns), left: Math.max(0, wanted.length - mostColumns) }
}

interface GraphOptions {
	readonly listed: (name: string) => Pick<Table, 'title' | 'rowCount' | 'isRowCountEstimated'> | undefined
	/** Whether tables that are referred to and were not read are shown by name. */
	readonly showsOutside: boolean
}

/**
 * Returns the graph of tables. One without a key and without a reference, for example a view, has no place in it.
 */
export function graphOf(described: readonly TableDescription[], { listed, showsOutside }: GraphOptions): SchemaGraph {
	const read = new Set(described.map(({ name }) => name))
	const relations = described.flatMap(({ name, references = [] }) =>
		references
			.filter(({ table }) => showsOutside || read.has(table))
			.map(({ columns, table, to }) => ({ from: name, columns, to: table, toColumns: to })),
	)
	const related = new Set(relations.flatMap(({ from, to }) => [from, to]))
	const titled = (name: string) => {
		const { title = name, ...rows } = listed(name) ?? {}
		return { name, title, rows }
	}
	const tables = described
		.filter(({ name, columns }) => related.has(name) || columns.some(({ isKey }) => isKey))
		.map(({ name, columns, references = [] }) => {
			const referring = new Set(references.flatMap(reference => reference.columns))
			return {
				...titled(name),
				columns: columns.map(column => ({ column, isReference: referring.has(column.name) })),
				isOutside: false,
			}
		})
	const outside = [...related].filter(name => !read.has(name))
	return {
		tables: [...tables, ...outside.map(name => ({ ...titled(name), columns: [], isOutside: true }))],
		relations,
	}
}

/** Returns the tables that a table refers to, and those that refer to it. */
export const neighboursOf = ({ references = [], referrers = [] }: TableDescription): readonly string[] => [
	...new Set([...references, ...referrers].map(({ table }) => table)),
]
