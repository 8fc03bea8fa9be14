import type { Ability } from '@roundhouse/kit/conformance'
import { DoesNotApply } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { readRows, stateOf, testTable, unfilteredQuery } from '../rows.ts'
import { editsOf } from './edits-cases.ts'
import type { Run } from './run.ts'
import { examplesOf } from './statements.ts'

/**
 * Checks the abilities that a driver declares as absent. The driver must reject each call with `unsupported` and change
 * no data.
 */

export const refusals: Readonly<Partial<Record<Ability, Run>>> = {
	filter: refusing('filter', async lab => {
		const { table, columns, query } = await firstRows(lab)
		const [column] = columns
		if (!column) throw new DoesNotApply(`The table ${table} has no columns.`)
		const filters = [{ column: column.name, operator: 'exists', values: [] }] as const
		await readRows(lab, { ...query, filters }, { size: 1, maxRows: 1 })
	}),
	sort: async (lab, report) => {
		const { columns } = await firstRows(lab)
		for (const { name } of columns.filter(({ isSortable }) => isSortable))
			report('conformance.ts: can.sort', `The driver declares sort as absent, but the column ${name} has isSortable.`)
		await refusing('sort', async lab => {
			const { columns, query } = await firstRows(lab)
			const column = columns[0]?.name ?? ''
			await readRows(lab, { ...query, sort: [{ column, direction: 'asc' }] }, { size: 1, maxRows: 1 })
		})(lab, report)
	},
	insert: refusing('insert', async lab => {
		const { table, values } = await rowToChange(lab)
		await lab.call('applyChanges', { table, changes: [{ kind: 'insert', values }] })
	}),
	update: refusing('update', async lab => {
		const { table, rowId, values: set } = await rowToChange(lab)
		await lab.call('applyChanges', { table, changes: [{ kind: 'update', rowId, set }] })
	}),
	delete: refusing('delete', async lab => {
		const { table, rowId } = await rowToChange(lab)
		await lab.call('applyChanges', { table, changes: [{ kind: 'delete', rowId }] })
	}),
	export: refusing('export', async lab => {
		const query = unfilteredQuery(await testTable(lab))
		await lab.call('openExport', { query, options: { format: 'ndjson' } })
	}),
	runStatements: refusing('runStatements', async lab => {
		const text = lab.file.statements ? (examplesOf(lab)[0]?.text ?? 'x') : 'x'
		const statement = { start: 0, end: text.length, text, access: 'read', summary: text } as const
		await lab.call('runConsole', { statement, maxRows: 1 })
	}),
}

function refusing(ability: Ability, attempt: (lab: Lab) => Promise<void>): Run {
	return async (lab, report) => {
		const before = await stateOf(lab)
		const refused = await lab.refusal(() => attempt(lab))
		const place = `conformance.ts: can.${ability}`
		if (refused?.code !== 'unsupported')
			report(
				place,
				`The driver declares this ability as absent, so the call must fail with unsupported. It returned ${refused?.code ?? 'a result'}.`,
			)
		if ((await stateOf(lab)) !== before)
			report(place, 'The driver declares this ability as absent, but the call changed data.')
	}
}

async function firstRows(lab: Lab) {
	const table = await testTable(lab)
	const query = unfilteredQuery(table)
	return { table, query, ...(await readRows(lab, query, { size: 1, maxRows: 1 })) }
}

/**
 * Returns a row and the values to write: those of the example edit if the file has one, otherwise `null` in the first
 * column.
 */
async function rowToChange(lab: Lab) {
	const { table, columns, rows } = await firstRows(lab)
	const [row] = rows
	const [column] = columns
	if (lab.file.edits) {
		const { table, insert } = editsOf(lab)
		const { rows } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
		return { table, rowId: rows[0]?.id ?? '', values: insert }
	}
	if (!row || !column) throw new DoesNotApply(`The table ${table} has no rows.`)
	return { table, rowId: row.id, values: { [column.name]: null } }
}
