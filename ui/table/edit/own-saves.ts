import type { Cell } from '../../../host/api/api.ts'
import { isSameCell } from '../../cells/cell-text.ts'
import type { Settled } from './staged.ts'

/** What this window saved in a row. */
interface SavedRow {
	/** Its versions before and between these saves. */
	readonly versions: Set<string>
	latest: string | undefined
	readonly cells: Map<string, Cell>
}

/**
 * The rows that this window saved. Undoing an earlier save or discard neither conflicts with a later save of the
 * same window nor reverts its values.
 */
export class OwnSaves {
	readonly #rows = new Map<string, SavedRow>()

	note({ rows }: Settled): void {
		for (const [rowId, { staged, version }] of rows) {
			const row = this.#rows.get(rowId) ?? { versions: new Set<string>(), latest: undefined, cells: new Map() }
			if (staged.version !== undefined) row.versions.add(staged.version)
			if (row.latest !== undefined) row.versions.add(row.latest)
			row.latest = version ?? row.latest
			for (const [name, { after }] of staged.cells) row.cells.set(name, after)
			this.#rows.set(rowId, row)
		}
	}

	/** Returns the row's current version, if only this window changed it since the given one. */
	versionSince(rowId: string, version: string | undefined): string | undefined {
		const row = this.#rows.get(rowId)
		return row && version !== undefined && row.versions.has(version) ? row.latest : version
	}

	/** Whether this window saved no other value in the cell. */
	isStill(rowId: string, column: string, value: Cell): boolean {
		const saved = this.#rows.get(rowId)?.cells.get(column)
		return saved === undefined || isSameCell(saved, value)
	}
}
