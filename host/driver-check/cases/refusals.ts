import type { Ability } from '@roundhouse/kit/conformance'
import { DoesNotApply } from '../found.ts'
import type { Lab } from '../lab.ts'
import { everything, readRows, stateOf, triedTable } from '../rows.ts'
import { editsOf } from './edits-cases.ts'
import type { Run } from './run.ts'
import { examplesOf } from './statements.ts'

/** What a driver must do instead of an ability that it declares absent: refuse with `unsupported`, and change nothing. */

export const refusals: Readonly<Partial<Record<Ability, Run>>> = {
	filter: refusing('filter', async lab => {
		const { table, columns, query } = await firstRows(lab)
		const [column] = columns
		if (!column) throw new DoesNotApply(`The table ${table} has no columns.`)
		const filters = [{ column: column.name, operator: 'exists', values: [] }] as const
		await readRows(lab, { ...query, filters }, { size: 1, most: 1 })
	}),
	sort: async (lab, found) => {
		const { columns } = await firstRows(lab)
		for (const { name } of columns.filter(({ isSortable }) => isSortable))
			found('conformance.ts: can.sort', `It is declared absent, but the column ${name} says isSortable.`)
		await refusing('sort', async lab => {
			const { columns, query } = await firstRows(lab)
			const column = columns[0]?.name ?? ''
			await readRows(lab, { ...query, sort: [{ column, direction: 'asc' }] }, { size: 1, most: 1 })
		})(lab, found)
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
		const query = everything(await triedTable(lab))
		await lab.call('openExport', { query, options: { format: 'ndjson' } })
	}),
	runStatements: refusing('runStatements', async lab => {
		const text = lab.file.statements ? (examplesOf(lab)[0]?.text ?? 'x') : 'x'
		const statement = { start: 0, end: text.length, text, access: 'read', summary: text } as const
		await lab.call('runConsole', { statement, maxRows: 1 })
	}),
}

function refusing(ability: Ability, attempt: (lab: Lab) => Promise<void>): Run {
	return async (lab, found) => {
		const before = await stateOf(lab)
		const refused = await lab.refusal(() => attempt(lab))
		const place = `conformance.ts: can.${ability}`
		if (refused?.code !== 'unsupported')
			found(place, `It is declared absent, but it fails with ${refused?.code ?? 'nothing'}, not with unsupported.`)
		if ((await stateOf(lab)) !== before) found(place, 'It is declared absent, but trying it has changed data.')
	}
}

async function firstRows(lab: Lab) {
	const table = await triedTable(lab)
	const query = everything(table)
	return { table, query, ...(await readRows(lab, query, { size: 1, most: 1 })) }
}

/** The example of an edit, or else a value of the first row. */
async function rowToChange(lab: Lab) {
	const { table, columns, rows } = await firstRows(lab)
	const [row] = rows
	const [column] = columns
	if (lab.file.edits) {
		const { table, insert } = editsOf(lab)
		const { rows } = await readRows(lab, everything(table), { size: 1, most: 1 })
		return { table, rowId: rows[0]?.id ?? '', values: insert }
	}
	if (!row || !column) throw new DoesNotApply(`The table ${table} has no rows.`)
	return { table, rowId: row.id, values: { [column.name]: null } }
}
