import { createEffect, createSignal, onCleanup } from 'solid-js'
import type { WorkspaceRecords } from '../../../host/api/api.ts'
import { plain } from '../../state/keep.ts'
import type { Records } from '../../state/records.ts'
import type { Saved } from './saved-rows.ts'
import type { SavedRow } from './staged.ts'
import { recordOf, stagedOf } from './staged-record.ts'

/** More rows are read again by the others. */
const mostShared = 500

interface SharedSave {
	/** The tab that saved. */
	readonly from: string
	readonly staged: WorkspaceRecords[string]
	/** What the engine says of each row. */
	readonly stored: Readonly<Record<string, Omit<SavedRow, 'staged'>>>
	readonly inserted: number
}

/**
 * Tells the other tabs and windows of a table what is saved here, and shows what they save. The record is
 * deleted as soon as the others have it.
 */
export function shareSaves(
	records: Records,
	target: { readonly connection: string; readonly table: string },
	{ show, reload, isTyping }: SharedSavesOptions,
) {
	const key = `saved/${target.connection}/${target.table}`
	const from = crypto.randomUUID()
	/** Rows came or went elsewhere. */
	const [isOutdated, setOutdated] = createSignal(false)
	onCleanup(
		records.onChange(key, value => {
			// The host passes on what another tab told.
			const shared = value as SharedSave | null
			if (shared === null || shared.from === from) return
			const staged = stagedOf(shared.staged)?.staged.rows.values() ?? []
			const rows = new Map([...staged].map(row => [row.rowId, { ...shared.stored[row.rowId], staged: row }]))
			if (show({ rows, inserted: shared.inserted })) setOutdated(true)
		}),
	)
	// An editor stays over its row until it is closed.
	createEffect(() => {
		if (!isOutdated() || isTyping()) return
		setOutdated(false)
		reload()
	})
	return {
		tell({ rows, inserted }: Saved): void {
			if (rows.size === 0 && inserted === 0) return
			const told = rows.size > mostShared ? new Map<string, SavedRow>() : rows
			const shared: SharedSave = {
				from,
				staged: plain(recordOf({ rows: new Map([...told].map(([id, { staged }]) => [id, staged])), inserts: [] })),
				stored: Object.fromEntries([...told].map(([id, { staged: _, ...stored }]) => [id, stored])),
				inserted: told === rows ? inserted : Math.max(1, inserted),
			}
			records.put(key, plain(shared))
			records.flush()
			records.set(key, null)
		},
	}
}

/** Tells all tabs of a table that rows came or went. */
export function tellOutdated(records: Records, target: { readonly connection: string; readonly table: string }): void {
	const key = `saved/${target.connection}/${target.table}`
	const staged = plain(recordOf({ rows: new Map(), inserts: [] }))
	const shared: SharedSave = { from: crypto.randomUUID(), staged, stored: {}, inserted: 1 }
	records.put(key, plain(shared))
	records.flush()
	records.set(key, null)
}

interface SharedSavesOptions {
	/** Shows saved rows. @returns whether all must be read again */
	show(saved: Saved): boolean
	reload(): void
	/** Whether the editor of a cell is open. */
	isTyping(): boolean
}
