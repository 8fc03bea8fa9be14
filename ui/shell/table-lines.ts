import type { DatabaseObject, Table } from '../../host/api/api.ts'

/** A line of the list of tables: a level that contains others, a table, or an object beside tables. Pure. */
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
	| { readonly kind: 'table'; readonly table: Table; readonly depth: number }
	| { readonly kind: 'object'; readonly object: DatabaseObject; readonly depth: number }

/** What the list contains. */
export interface Listed {
	readonly tables: readonly Table[]
	readonly objects: readonly DatabaseObject[]
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
 * come first, then objects, then inner levels. @param isOpen `isFolder`: the level contains no table
 */
export function tableLines(
	{ tables, objects }: Listed,
	isOpen: (levelId: string, isFolder: boolean) => boolean,
): readonly TableLine[] {
	const root = emptyLevel()
	for (const table of tables) levelAt(root, table.path ?? []).tables.push(table)
	for (const object of objects) levelAt(root, object.path).objects.push(object)
	return linesIn(root, [], isOpen)
}

const emptyLevel = (): Level => ({ tables: [], objects: [], levels: new Map() })

function levelAt(root: Level, path: readonly string[]): Level {
	return path.reduce((level, title) => {
		const inner = level.levels.get(title) ?? emptyLevel()
		level.levels.set(title, inner)
		return inner
	}, root)
}

function linesIn(
	level: Level,
	path: readonly string[],
	isOpen: (levelId: string, isFolder: boolean) => boolean,
): readonly TableLine[] {
	const depth = path.length
	const tables = level.tables.map((table): TableLine => ({ kind: 'table', table, depth }))
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
			isOpen: isOpen(id, tablesBelow === 0),
		}
		return line.isOpen ? [line, ...linesIn(below, own, isOpen)] : [line]
	})
	return [...tables, ...objects, ...inner]
}

function countIn(level: Level, what: 'tables' | 'objects'): number {
	return [...level.levels.values()].reduce((sum, inner) => sum + countIn(inner, what), level[what].length)
}
