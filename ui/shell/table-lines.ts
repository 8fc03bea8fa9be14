import type { Column, DatabaseObject, Table, TableDescription } from '../../host/api/api.ts'

/** What an unfolded table shows. */
export type TablePart =
	| { readonly kind: 'column'; readonly column: Column; readonly isReference: boolean }
	| { readonly kind: 'index'; readonly text: string }
	/** That it is read, or why it was not. */
	| { readonly kind: 'note'; readonly text: string }

/**
 * A line of the list of tables: a level that contains others, a table, a part of an unfolded table, or an object beside
 * tables. Pure.
 */
export type TableLine =
	| {
			readonly kind: 'level'
			/** Its path as JSON. */
			readonly id: string
			readonly path: readonly string[]
			/** It lists objects beside tables, such as functions. */
			readonly isOfObjects: boolean
			readonly title: string
			readonly depth: number
			/** Number of tables at any depth below it, or of the objects directly below it if there is no table. */
			readonly count: number
			readonly isOpen: boolean
	  }
	| { readonly kind: 'table'; readonly table: Table; readonly depth: number; readonly isOpen: boolean }
	| { readonly kind: 'part'; readonly table: string; readonly part: TablePart; readonly depth: number }
	| { readonly kind: 'object'; readonly object: DatabaseObject; readonly depth: number }

/** What the list contains. */
export interface Listed {
	readonly tables: readonly Table[]
	readonly objects: readonly DatabaseObject[]
}

/** Returns the parts of a described table: its columns, then its indexes. */
export function partsOf({ columns, references = [], indexes = [] }: TableDescription): readonly TablePart[] {
	const referring = new Set(references.flatMap(reference => reference.columns))
	return [
		...columns.map(column => ({ kind: 'column' as const, column, isReference: referring.has(column.name) })),
		...indexes.map(text => ({ kind: 'index' as const, text })),
	]
}

/** Returns the text of a part. */
export const textOfPart = (part: TablePart) => (part.kind === 'column' ? part.column.name : part.text)

/** Which lines show what they contain. */
export interface Unfolding {
	/** @param isFolder the level contains no table */
	isOpen(levelId: string, isFolder: boolean): boolean
	/** Parts of a table, if it is unfolded. */
	parts(table: string): readonly TablePart[] | undefined
	/** Whether partitions are shown below a table that is not unfolded. */
	readonly showsPartitions: boolean
}

interface Lists extends Unfolding {
	/** Partitions by the name of their table. */
	readonly partitions: ReadonlyMap<string | undefined, readonly Table[]>
}

interface Level {
	readonly tables: Table[]
	readonly objects: DatabaseObject[]
	readonly levels: Map<string, Level>
}

/** Returns the tables and objects whose name, kind or path contains the words, regardless of case. */
export function listedWith(words: string, { tables, objects }: Listed): Listed {
	const wanted = words.toLowerCase()
	const fits = ({ name, title, kind, path = [] }: Table) =>
		[name, title, kind, ...path].some(text => text?.toLowerCase().includes(wanted))
	return { tables: tables.filter(fits), objects: objects.filter(fits) }
}

/**
 * Returns the lines of tables and objects, grouped by their paths. Levels and what they contain keep their order; tables
 * come first, then objects, then inner levels. Partitions stand below their table, if that is listed.
 */
export function tableLines({ tables, objects }: Listed, unfolding: Unfolding): readonly TableLine[] {
	const root = emptyLevel()
	const names = new Set(tables.map(({ name }) => name))
	const parentOf = ({ partitionOf }: Table) =>
		partitionOf !== undefined && names.has(partitionOf) ? partitionOf : undefined
	const partitions = Map.groupBy(tables, parentOf)
	for (const table of partitions.get(undefined) ?? []) levelAt(root, table.path ?? []).tables.push(table)
	for (const object of objects) levelAt(root, object.path).objects.push(object)
	return linesIn(root, [], { ...unfolding, partitions })
}

/** Returns a table with what it shows: its partitions, then its columns and indexes. */
function tableWithParts(table: Table, depth: number, lists: Lists): readonly TableLine[] {
	const { name } = table
	const parts = lists.parts(name)
	const line: TableLine = { kind: 'table', table, depth, isOpen: parts !== undefined }
	const isShown = parts !== undefined || lists.showsPartitions
	const below = isShown ? (lists.partitions.get(name) ?? []) : []
	return [
		line,
		...below.flatMap(partition => tableWithParts(partition, depth + 1, lists)),
		...(parts ?? []).map((part): TableLine => ({ kind: 'part', table: name, part, depth: depth + 1 })),
	]
}

const emptyLevel = (): Level => ({ tables: [], objects: [], levels: new Map() })

function levelAt(root: Level, path: readonly string[]): Level {
	return path.reduce((level, title) => {
		const inner = level.levels.get(title) ?? emptyLevel()
		level.levels.set(title, inner)
		return inner
	}, root)
}

function linesIn(level: Level, path: readonly string[], lists: Lists): readonly TableLine[] {
	const depth = path.length
	const tables = level.tables.flatMap(table => tableWithParts(table, depth, lists))
	const objects = level.objects.map((object): TableLine => ({ kind: 'object', object, depth }))
	const inner = [...level.levels].flatMap(([title, below]) => {
		const own = [...path, title]
		const id = JSON.stringify(own)
		const tablesBelow = countIn(below, 'tables')
		const count = tablesBelow || below.objects.length
		const line: TableLine = {
			kind: 'level',
			id,
			path: own,
			isOfObjects: below.objects.length > 0 && tablesBelow === 0,
			title,
			depth,
			count,
			isOpen: lists.isOpen(id, tablesBelow === 0),
		}
		return line.isOpen ? [line, ...linesIn(below, own, lists)] : [line]
	})
	return [...tables, ...objects, ...inner]
}

function countIn(level: Level, what: 'tables' | 'objects'): number {
	return [...level.levels.values()].reduce((sum, inner) => sum + countIn(inner, what), level[what].length)
}
