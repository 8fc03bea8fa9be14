import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { TableChange, TableForm } from '../../host/api/api.ts'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { messageOf } from '../words/message-of.ts'
import {
	type ColumnRow,
	changesOf,
	type Draft,
	definitionOf,
	draftOf,
	type IndexRow,
	type KeyRow,
	moved,
} from './draft.ts'

/** The lists of rows in the form. */
export type Part = 'columns' | 'keys' | 'indexes'

/** A table in the form: what was typed, the statements that it needs, and what a try of them told. */
export function createEditedTable(connection: TabConnection, form: TableForm, isNew: boolean) {
	const host = useHost()
	const before = isNew ? undefined : form.definition
	const first = isNew ? firstDraft(form) : draftOf(form.definition)
	const [draft, setDraft] = createSignal<Draft>(first)
	const change = (part: Partial<Draft>) => setDraft(now => ({ ...now, ...part }))
	const changeRow = <T>(rows: readonly T[], at: number, row: Partial<T>) =>
		rows.map((one, place) => (place === at ? { ...one, ...row } : one))

	/** A new table is shown under this name until it has one. */
	const isUnnamed = () => isNew && draft().name.trim() === ''
	const named = () => (isUnnamed() ? { ...draft(), name: 'new_table' } : draft())
	/** The change, or why the draft means none. */
	const meant = createMemo((): { readonly change: TableChange } | { readonly fault: string } => {
		try {
			return { change: { ...(before && { before }), after: definitionOf(named(), form.definition.path) } }
		} catch (error) {
			return { fault: messageOf(error) }
		}
	})
	const statements = createTask((call, change: TableChange) =>
		host.call('tables.statements', { connection: connection.id, change }, call),
	)
	const trying = createTask((call, change: TableChange) =>
		host.call('tables.try', { connection: connection.id, change }, call),
	)
	createEffect(
		on(meant, now => {
			trying.clear()
			if ('change' in now) void statements.run(now.change)
			else statements.clear()
		}),
	)

	const shown = () => (statements.isRunning() || statements.error() !== undefined ? [] : (statements.value() ?? []))
	return {
		form,
		before,
		draft,
		/** Names that a key is typed from: of the columns that stay, and of tables, without the schema of this one. */
		columnNames: () =>
			draft().columns.flatMap(({ name, isDropped }) => (isDropped || name.trim() === '' ? [] : [name])),
		tableNames: () =>
			(connection.listed ?? []).map(({ name, title = name, path = [] }) =>
				path.join('.') === form.definition.path.join('.') ? title : name,
			),
		setName: (name: string) => change({ name }),
		setComment: (comment: string) => change({ comment }),
		setColumn: (at: number, row: Partial<ColumnRow>) => change({ columns: changeRow(draft().columns, at, row) }),
		setKey: (at: number, row: Partial<KeyRow>) => change({ keys: changeRow(draft().keys, at, row) }),
		setIndex: (at: number, row: Partial<IndexRow>) => change({ indexes: changeRow(draft().indexes, at, row) }),
		/** Adds an empty row at the end, or a column behind another one. @returns its place */
		add(part: Part, behind?: number): number {
			const { columns, keys, indexes } = draft()
			const at = part === 'columns' && form.movesColumns && behind !== undefined ? behind + 1 : draft()[part].length
			if (part === 'columns') change({ columns: columns.toSpliced(at, 0, newColumn(form)) })
			else if (part === 'keys') change({ keys: [...keys, newKey(form, keys)] })
			else change({ indexes: [...indexes, newIndex(form)] })
			return at
		},
		/** Drops a row, or takes that back. A row that is new leaves the form. */
		toggleDropped(part: Part, at: number): void {
			const toggled = <T extends { readonly id: string; readonly isDropped?: boolean }>(rows: readonly T[]) => {
				const isKnown = before?.[part].some(({ id }) => id === rows[at]?.id)
				return isKnown
					? rows.map((row, place) => (place === at ? { ...row, isDropped: !row.isDropped } : row))
					: rows.toSpliced(at, 1)
			}
			if (part === 'columns') change({ columns: toggled(draft().columns) })
			else if (part === 'keys') change({ keys: toggled(draft().keys) })
			else change({ indexes: toggled(draft().indexes) })
		},
		/** Whether a row can move there. Columns of the table itself have places only where the engine moves them. */
		canMove(at: number, by: 1 | -1): boolean {
			const isFree = (place: number) => {
				const row = draft().columns[place]
				return row !== undefined && (form.movesColumns || !before?.columns.some(({ id }) => id === row.id))
			}
			return isFree(at) && isFree(at + by)
		},
		move: (at: number, by: 1 | -1) => change({ columns: moved(draft().columns, at, by) }),
		discard: () => setDraft(first),
		changes: createMemo(() => changesOf(draft(), before)),
		fault: () => {
			const now = meant()
			if ('fault' in now) return now.fault
			return (
				statements.error() ??
				(isUnnamed() ? `Give the ${connection.engine.tableNoun.one.toLowerCase()} a name.` : undefined)
			)
		},
		/** The statements of what is typed now. */
		statements: () => (isUnnamed() ? [] : shown()),
		/** Those of a table that has no name yet. */
		preview: () => (isUnnamed() ? shown() : []),
		isStale: statements.isRunning,
		trying,
		try(): void {
			const now = meant()
			if ('change' in now) void trying.run(now.change)
		},
	}
}
export type EditedTable = ReturnType<typeof createEditedTable>

const newColumn = ({ types }: TableForm): ColumnRow => ({
	id: crypto.randomUUID(),
	name: '',
	type: types[0] ?? '',
	isNotNull: false,
})

/** A table without a primary key gets one first. */
function newKey({ keys, rules }: TableForm, rows: readonly KeyRow[]): KeyRow {
	const isFirst = !rows.some(({ kind, isDropped }) => kind === 'primary' && !isDropped)
	const kind = keys.find(kind => isFirst || kind !== 'primary') ?? 'unique'
	const rule = rules[0] ?? ''
	const references = { table: '', columns: [], onDelete: rule, onUpdate: rule }
	return { id: crypto.randomUUID(), name: '', kind, columns: [], typed: '', ...(kind === 'foreign' && { references }) }
}

const newIndex = ({ methods }: TableForm): IndexRow => ({
	id: crypto.randomUUID(),
	name: '',
	method: methods[0] ?? '',
	isUnique: false,
	columns: [],
	typed: '',
})

/** A new table begins with a column that numbers its rows, which is its key. */
function firstDraft(form: TableForm): Draft {
	const id = crypto.randomUUID()
	const [value] = form.defaults
	const column = { ...newColumn(form), id, name: 'id', isNotNull: true, ...(value !== undefined && { default: value }) }
	const key: KeyRow = { id: crypto.randomUUID(), name: '', kind: 'primary', columns: [id] }
	return { ...draftOf(form.definition), columns: [column], keys: [key] }
}
