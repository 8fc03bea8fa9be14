import type { Table } from '../../host/api/api.ts'

/** A line of the list of tables: a level that contains tables, or a table. Pure. */
export type TableLine =
	| {
			readonly kind: 'level'
			/** Its path as JSON. */
			readonly id: string
			readonly title: string
			readonly depth: number
			/** Number of tables at any depth below it. */
			readonly count: number
			readonly isOpen: boolean
	  }
	| { readonly kind: 'table'; readonly table: Table; readonly depth: number }

interface Level {
	readonly tables: Table[]
	readonly levels: Map<string, Level>
}

/** Returns the tables whose name, kind or path contains the words, regardless of case. */
export function tablesWith(words: string, tables: readonly Table[]): readonly Table[] {
	const wanted = words.toLowerCase()
	return tables.filter(({ name, title, kind, path = [] }) =>
		[name, title, kind, ...path].some(text => text?.toLowerCase().includes(wanted)),
	)
}

/**
 * Returns the lines of tables, grouped by their paths. Levels and tables keep their order, and the tables of a level
 * come before its inner levels.
 */
export function tableLines(tables: readonly Table[], isOpen: (levelId: string) => boolean): readonly TableLine[] {
	const root: Level = { tables: [], levels: new Map() }
	for (const table of tables) {
		let level = root
		for (const title of table.path ?? []) {
			const inner = level.levels.get(title) ?? { tables: [], levels: new Map() }
			level.levels.set(title, inner)
			level = inner
		}
		level.tables.push(table)
	}
	return linesIn(root, [], isOpen)
}

function linesIn(level: Level, path: readonly string[], isOpen: (levelId: string) => boolean): readonly TableLine[] {
	const depth = path.length
	const own = level.tables.map((table): TableLine => ({ kind: 'table', table, depth }))
	const inner = [...level.levels].flatMap(([title, below]) => {
		const id = JSON.stringify([...path, title])
		const line: TableLine = { kind: 'level', id, title, depth, count: countIn(below), isOpen: isOpen(id) }
		return line.isOpen ? [line, ...linesIn(below, [...path, title], isOpen)] : [line]
	})
	return [...own, ...inner]
}

function countIn({ tables, levels }: Level): number {
	return [...levels.values()].reduce((sum, level) => sum + countIn(level), tables.length)
}
