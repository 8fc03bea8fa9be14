import { isUnreadCell } from '@roundhouse/kit/cell'
import { batch, createEffect, createMemo, createSignal } from 'solid-js'
import type { Cannot, Cell, Column, Filter, GridPage, Row } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { cellOf, copyText } from '../cells/cell-text.ts'
import { documentOf, wholeCell } from '../cells/whole-row.ts'
import { otherChanges } from '../table/edit/compared.ts'
import { createEdits } from '../table/edit/edits.ts'
import type { SaveFailure } from '../table/edit/staged.ts'
import { OpenQuery } from '../table/rows/open-query.ts'
import { messageOf } from '../words/message-of.ts'
import type { TableChanges } from './kept-changes.ts'
import type { Origin } from './origins.ts'
import { isSame } from './result-filters.ts'

/** Rows that one request names. Each row of a key with several columns is a request. */
const most = { listed: 500, requests: 50 }

/** A row of the result that shows a row of the table. */
interface Shown {
	/** Of the row in the table. */
	readonly id: string
	readonly row: Row
	readonly origin: Origin
	/** The row of the table. */
	readonly found: Row
}

/** The columns of a key with their values as text. */
type Key = readonly (readonly [column: string, text: string])[]

const keyOf = (cells: readonly Cell[]) => JSON.stringify(cells.map(copyText))

/** Returns the filters that the rows of some keys fit. Several keys have one column. */
function filtersOf(keys: readonly Key[]): readonly Filter[] {
	const [first = [], ...others] = keys
	if (others.length === 0) return first.map(([column, text]) => ({ column, operator: 'equals', values: [text] }))
	return first.map(([column]) => ({ column, operator: 'in', values: keys.map(([part]) => part?.[1] ?? '') }))
}

/** The rows of a result in the order in which they came. */
export interface ResultCells {
	all(): readonly Row[]
	setAll(change: (rows: readonly Row[]) => readonly Row[]): void
}

export type TableEdits = ReturnType<typeof createTableEdits>

/**
 * The staged changes of one table that rows of a result are from. Its rows are read by their keys before they are
 * changed, so each change has the version of a row, and a row that is another one than the result shows is a conflict.
 */
export function createTableEdits(
	host: HostConnection,
	target: { readonly connection: string; readonly table: string },
	/** The uses of the table in the statement. */
	origins: readonly Origin[],
	{ all, setAll }: ResultCells,
) {
	const edits = createEdits()
	const [columns, setColumns] = createSignal<readonly Column[]>([])
	const [cannot, setCannot] = createSignal<Cannot>({})
	const [failure, setFailure] = createSignal<string>()
	/** The rows as the table has them, by their keys; `null` for one that is gone. */
	const [known, setKnown] = createSignal<ReadonlyMap<string, Row | null>>(new Map())
	const valueIn = (row: Row, name: string) => {
		const index = columns().findIndex(column => column.name === name)
		return index < 0 ? undefined : cellOf(row, index)
	}
	/** The key of a row of the table. All uses of the table have one. */
	const keyIn = (row: Row) => keyOf((origins[0]?.key ?? []).map(({ column }) => valueIn(row, column) ?? null))
	const find = ({ key }: Origin, row: Row) => known().get(keyOf(key.map(({ at }) => cellOf(row, at))))
	/** Where the result shows each row of the table that was read. */
	const places = createMemo(() => {
		if (known().size === 0) return new Map<string, readonly Shown[]>()
		const shown = all().flatMap(row =>
			origins.flatMap((origin): readonly Shown[] => {
				const found = find(origin, row)
				return found ? [{ id: found.id, row, origin, found }] : []
			}),
		)
		return Map.groupBy(shown, ({ id }) => id)
	})
	/** Returns a row of the table as a place of the result shows it. */
	function asShown({ row, origin, found }: Shown): Row {
		const cells = columns().map(({ name }, index) => {
			const at = origin.names?.indexOf(name) ?? -1
			return at < 0 ? cellOf(found, index) : cellOf(row, origin.columns[at] ?? -1)
		})
		return { ...found, cells }
	}
	edits.checkRows(() => {
		const outdated = new Map<string, SaveFailure>()
		for (const id of edits.staged().rows.keys())
			if (places().get(id)?.some(isOutdated))
				outdated.set(id, { message: 'Changed by another client since the result was read.', isConflict: true })
		return outdated
	})
	function isOutdated(shown: Shown): boolean {
		const row = asShown(shown)
		/** What the page leaves out, and another form of the same text, is no change. */
		const theirs = (name: string) => {
			const [before, after] = [valueIn(row, name) ?? null, valueIn(shown.found, name) ?? null]
			return isUnreadCell(after) || isSame(before, after) ? before : after
		}
		return otherChanges({ row, columns: columns() }, undefined, theirs).length > 0
	}
	createEffect(() => edits.checkBy(columns()))

	async function page(keys: readonly Key[]): Promise<GridPage> {
		const query = { table: target.table, filters: filtersOf(keys), match: 'all', sort: [] } as const
		const open = new OpenQuery(host, { connection: target.connection, query, firstRows: keys.length + 1 })
		try {
			return await open.first
		} finally {
			open.close()
		}
	}

	/** Large values are not in pages. They are compared too. */
	async function whole(row: Row, { columns }: GridPage, shown: ReadonlySet<string>): Promise<Row> {
		if (!columns.some(({ name }, index) => shown.has(name) && isUnreadCell(cellOf(row, index)))) return row
		const read = await host.call('rows.read', { ...target, rowId: row.id })
		if (read.rawCutFrom !== undefined) return row
		const document = documentOf(read)
		const cells = columns.map((column, index) => wholeCell(document, column, cellOf(row, index)))
		return { ...row, cells, ...(read.version !== undefined && { version: read.version }) }
	}

	/** Reads the rows of a result that are not known. */
	async function read(rows: readonly Row[]): Promise<void> {
		setFailure(undefined)
		const missing = new Map<string, Key>()
		for (const row of rows)
			for (const origin of origins) {
				const cells = origin.key.map(({ column, at }) => [column, cellOf(row, at)] as const)
				const key = keyOf(cells.map(([, cell]) => cell))
				// An outer join has rows without one of this table.
				if (known().has(key) || cells.some(([, cell]) => cell === null)) continue
				missing.set(
					key,
					cells.map(([column, cell]) => [column, copyText(cell)]),
				)
			}
		if (missing.size === 0) return
		const [first = []] = missing.values()
		const isListed = first.length === 1
		const size = isListed ? most.listed : 1
		const count = Math.ceil(missing.size / size)
		if (count > most.requests) throw new RangeError('These are too many at once. Change fewer.')
		const keys = [...missing.values()]
		const chunks = Array.from({ length: count }, (_, at) => keys.slice(at * size, (at + 1) * size))
		const shown = new Set(origins.flatMap(({ names = [] }) => names))
		for (const chunk of chunks) {
			const found = await page(chunk)
			// For example, of a table that others inherit from.
			if (found.rows.length > chunk.length)
				throw new Error(`${target.table} has several rows with one key, so the result does not say which one it shows.`)
			if (columns().length === 0) setColumns(found.columns)
			const wholes = await Promise.all(found.rows.map(row => whole(row, found, shown)))
			batch(() => {
				if (found.cannot) setCannot(found.cannot)
				setKnown(before => new Map([...before, ...wholes.map(row => [keyIn(row), row] as const)]))
			})
		}
		setKnown(before => new Map([...[...missing.keys()].map(key => [key, null] as const), ...before]))
	}

	/** Reads rows that are not known. Never rejects. */
	const ready = (rows: readonly Row[]) => read(rows).catch(error => void setFailure(messageOf(error)))

	/** Takes changes of an earlier result. @returns those of rows that this one does not have */
	async function restore({ staged, keys, table }: TableChanges): Promise<readonly TableChanges[]> {
		const wanted = new Set(keys.values())
		const isWanted = (row: Row) => origins.some(({ key }) => wanted.has(keyOf(key.map(({ at }) => cellOf(row, at)))))
		await ready(all().filter(isWanted))
		const here = [...staged.rows].filter(([id]) => places().has(id))
		edits.take({ rows: new Map(here), inserts: [] })
		const rest = [...staged.rows].filter(([id]) => !places().has(id))
		return rest.length === 0 ? [] : [{ table, keys, staged: { rows: new Map(rest), inserts: [] } }]
	}

	return {
		table: target.table,
		/** What is staged, for another result of the same rows. */
		changes(): readonly TableChanges[] {
			const staged = edits.staged()
			if (staged.rows.size === 0) return []
			const keys = [...known()].flatMap(([key, row]) =>
				row && staged.rows.has(row.id) ? [[row.id, key] as const] : [],
			)
			return [{ table: target.table, staged, keys: new Map(keys) }]
		},
		restore,
		edits,
		columns,
		cannot,
		/** Why the rows could not be read. */
		failure,
		/** The row of the table behind a row of the result: `null` if it is gone, `undefined` if it was not read. */
		find,
		/** The rows of the result that show a row of the table. */
		places: (id: string) => places().get(id) ?? [],
		ready,
		rows: {
			columns,
			find(id: string): Row | undefined {
				const [shown] = places().get(id) ?? []
				return shown && asShown(shown)
			},
			/** Shows saved values, or those of another client, in the result. */
			patch(change: (row: Row, columns: readonly Column[]) => Row | undefined): void {
				const changed = new Map<string, Row>()
				for (const row of known().values()) {
					const next = row && change(row, columns())
					if (next) changed.set(row.id, next)
				}
				const shown = Map.groupBy(
					[...changed.keys()].flatMap(id => places().get(id) ?? []),
					({ row }) => row.id,
				)
				batch(() => {
					setAll(rows =>
						rows.map(row => {
							const cells = [...row.cells]
							for (const { id, origin } of shown.get(row.id) ?? [])
								for (const [place, at] of origin.columns.entries()) {
									const next = changed.get(id)
									const cell = next && valueIn(next, origin.names?.[place] ?? '')
									if (cell !== undefined && !isUnreadCell(cell)) cells[at] = cell
								}
							return shown.has(row.id) ? { ...row, cells } : row
						}),
					)
					setKnown(
						before =>
							new Map(
								[...before].map(([key, row]) => {
									const next = row && changed.get(row.id)
									return next ? [keyIn(next), next] : [key, row]
								}),
							),
					)
				})
			},
		},
	}
}
