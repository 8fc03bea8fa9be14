import { createSignal } from 'solid-js'
import type { Cell, Column, Row } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { messageOf } from '../state/host.tsx'
import { cellOf } from './cell-text.ts'
import type { Edits, StagedRow } from './edits.ts'
import type { Rows } from './rows.ts'

/** Saving what is staged: first the requests as they would be sent, then the outcome row by row. */
export function createSaving(
	host: HostConnection,
	target: { readonly connection: string; readonly table: string },
	rows: Rows,
	edits: Edits,
	/** Reads the rows again: rows came or went. */
	reload: () => void,
) {
	const [preview, setPreview] = createSignal<readonly string[]>()
	const [isSaving, setSaving] = createSignal(false)
	const [message, setMessage] = createSignal<{ readonly kind: 'error' | 'info'; readonly text: string }>()

	async function review(): Promise<void> {
		if (edits.count() === 0) return
		setMessage(undefined)
		try {
			setPreview(await host.call('changes.preview', { ...target, changes: edits.changes() }))
		} catch (error) {
			setMessage({ kind: 'error', text: messageOf(error) })
		}
	}

	async function save(): Promise<void> {
		setSaving(true)
		setMessage(undefined)
		try {
			const outcomes = await host.call('changes.apply', { ...target, changes: edits.changes() })
			const { rows: applied, inserted } = edits.settle(outcomes)
			rows.patch((row, columns) => {
				const change = applied.get(row.id)
				return change && patched(row, columns, change.staged, change.version)
			})
			setPreview(undefined)
			const saved = applied.size + inserted
			const isWhole = saved === outcomes.length
			const first = [...edits.faults().values()][0]?.message ?? ''
			setMessage(
				isWhole
					? { kind: 'info', text: `Saved ${saved} ${saved === 1 ? 'document' : 'documents'}.` }
					: { kind: 'error', text: `Saved ${saved} of ${outcomes.length}. ${first}` },
			)
			const isGone = [...applied.values()].some(({ staged }) => staged.isDeleted)
			if (isGone || inserted > 0) reload()
		} catch (error) {
			// Nothing is known of the outcome here, so everything stays staged.
			setMessage({ kind: 'error', text: messageOf(error) })
		} finally {
			setSaving(false)
		}
	}

	return { review, save, preview, isSaving, message, cancel: () => setPreview(undefined) }
}
export type Saving = ReturnType<typeof createSaving>

function patched(row: Row, columns: readonly Column[], staged: StagedRow, version: string | undefined): Row {
	const cells = columns.map((column, index): Cell => {
		const change = staged.cells.get(column.name)
		return change ? change.after : cellOf(row, index)
	})
	return { id: row.id, cells, ...((version ?? row.version) !== undefined && { version: version ?? row.version ?? '' }) }
}
