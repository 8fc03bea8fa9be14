import { isCutCell } from '@roundhouse/kit'
import { CaseFailure } from '../findings.ts'
import { isEmpty, readRows, unfilteredQuery } from '../rows.ts'
import { applied, compare, editsOf, isSame, versionOf, withRow } from './edits-cases.ts'
import type { RunsOf } from './run.ts'

/** Values on their way from the engine to the user and back. */

export const valuesCases: RunsOf<'values'> = {
	'values.examples': async (lab, report) => {
		const { values = {} } = editsOf(lab)
		await withRow(lab, async row => {
			let { id } = row
			for (const [column, cells] of Object.entries(values)) {
				for (const cell of cells) {
					const set = { [column]: cell }
					// Without a version, because the last value has changed it.
					const outcome = await applied(lab, { kind: 'update', rowId: id, set })
					id = outcome.rowId ?? id
					await compare(lab, { id, values: set, report })
				}
			}
		})
	},
	'values.again': async (lab, report) => {
		const { table } = editsOf(lab)
		const { columns, rows } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
		for (const [at, { name, isReadOnly, isKey, isVolatile }] of columns.entries()) {
			const [row] = (await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })).rows
			const cell = row?.cells[at]
			if (!row || cell === undefined || isReadOnly || isKey || isVolatile || isEmpty(cell) || isCutCell(cell)) continue
			const set = { [name]: cell }
			const { rowId = row.id } = await applied(lab, { kind: 'update', rowId: row.id, ...versionOf(row), set })
			const [after] = (await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })).rows
			// A table that shows changed rows elsewhere first has another row here.
			if (!after || after.id !== rowId) continue
			if (!isSame(after.cells[at], cell))
				report(
					`column ${name}`,
					`${JSON.stringify(cell)} was read and written back, and is now ${JSON.stringify(after.cells[at])}.`,
				)
		}
		if (rows.length === 0) throw new CaseFailure(`gridPage "${table}"`, 'The table has no row to write back.')
	},
}
