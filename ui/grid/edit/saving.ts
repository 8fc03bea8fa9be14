import { createSignal } from 'solid-js'
import type { Cell, Change, ChangeOutcome, Column, Row } from '../../../host/ui-server/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { cellOf } from '../../cells/cell-text.ts'
import { count, counted } from '../../controls/format.ts'
import type { Engine } from '../../state/engine.tsx'
import { messageOf } from '../../state/host.tsx'
import type { Rows } from '../rows/rows.ts'
import type { Edits, StagedRow } from './edits.ts'

/** So many changes go in one call: it ends in time, and tells how far the whole is. */
const partSize = 1000

function inParts(changes: readonly Change[]): readonly (readonly Change[])[] {
	return Array.from({ length: Math.ceil(changes.length / partSize) }, (_, part) =>
		changes.slice(part * partSize, (part + 1) * partSize),
	)
}

/** Saving what is staged: first the requests as they would be sent, then the outcome row by row. */
export function createSaving(
	host: HostConnection,
	{ rowNoun, ...target }: { readonly connection: string; readonly table: string; readonly rowNoun: Engine['rowNoun'] },
	rows: Rows,
	edits: Edits,
	/** Reads the rows again: rows came or went. */
	reload: () => void,
) {
	const [preview, setPreview] = createSignal<readonly string[]>()
	const [isSaving, setSaving] = createSignal(false)
	/** How many changes were sent, where there are more than one call takes. */
	const [sent, setSent] = createSignal<number>()
	const [message, setMessage] = createSignal<{ readonly kind: 'error' | 'info'; readonly text: string }>()

	async function review(): Promise<void> {
		if (edits.count() === 0) return
		setMessage(undefined)
		try {
			const requests: string[] = []
			for (const changes of inParts(edits.changes())) {
				requests.push(...(await host.call('changes.preview', { ...target, changes })))
			}
			setPreview(requests)
		} catch (error) {
			setMessage({ kind: 'error', text: messageOf(error) })
		}
	}

	/** Sends what is staged, part after part; of a part whose answer did not come nothing is known, and none follows it. */
	async function apply(): Promise<readonly ChangeOutcome[]> {
		const parts = inParts(edits.changes())
		const outcomes: ChangeOutcome[] = []
		for (const changes of parts) {
			if (parts.length > 1) setSent(outcomes.length)
			try {
				outcomes.push(...(await host.call('changes.apply', { ...target, changes })))
			} catch (error) {
				if (outcomes.length === 0) throw error
				const unknown = { status: 'unknown', message: messageOf(error) } as const
				return [...outcomes, ...changes.map(() => unknown)]
			}
		}
		return outcomes
	}

	async function save(): Promise<void> {
		setSaving(true)
		setMessage(undefined)
		try {
			const staged = edits.changes().length
			const { rows: applied, inserted } = edits.settle(await apply())
			rows.patch((row, columns) => {
				const change = applied.get(row.id)
				return change && patched(row, columns, change.staged, change.version)
			})
			setPreview(undefined)
			const saved = applied.size + inserted
			const first = [...edits.faults().values()][0]?.message ?? ''
			setMessage(
				saved === staged
					? { kind: 'info', text: `Saved ${counted(saved, rowNoun)}.` }
					: { kind: 'error', text: `Saved ${count(saved)} of ${count(staged)}. ${first}` },
			)
			const isGone = [...applied.values()].some(({ staged }) => staged.isDeleted)
			if (isGone || inserted > 0) reload()
		} catch (error) {
			// Nothing is known of the outcome here, so everything stays staged.
			setMessage({ kind: 'error', text: messageOf(error) })
		} finally {
			setSaving(false)
			setSent(undefined)
		}
	}

	return { review, save, preview, isSaving, sent, message, cancel: () => setPreview(undefined) }
}
export type Saving = ReturnType<typeof createSaving>

function patched(row: Row, columns: readonly Column[], staged: StagedRow, version: string | undefined): Row {
	const cells = columns.map((column, index): Cell => {
		const change = staged.cells.get(column.name)
		return change ? change.after : cellOf(row, index)
	})
	return { id: row.id, cells, ...((version ?? row.version) !== undefined && { version: version ?? row.version ?? '' }) }
}
