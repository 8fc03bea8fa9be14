import { DoesNotApply, notGiven } from '../findings.ts'
import { readRows, stateOf, unfilteredQuery } from '../rows.ts'
import type { RunsOf } from './run.ts'
import { checkTableForm } from './table-form-case.ts'

/** Tables and their columns, and objects beside them. */

const mostDescribed = 30
const manyTables = 5_000
const listLimitMs = 5_000
const unknownTable = 'roundhouse-check-unknown'
const hostileNames = [
	`${unknownTable}"`,
	`${unknownTable}'; --`,
	`${unknownTable}.x`,
	`../${unknownTable}`,
	`${unknownTable}/*?&#%00`,
	`${unknownTable} 🚂`,
	unknownTable.padEnd(300, 'x'),
]

export const schemaCases: RunsOf<'schema'> = {
	'schema.list': async (lab, report) => {
		const names = (await lab.call('listTables', {})).map(({ name }) => name)
		if (names.length === 0) report('listTables', 'The fixture has no table, so nothing can be tried.')
		for (const name of twice(names)) report('listTables', `Two tables have the name ${JSON.stringify(name)}.`)
	},
	'schema.order': async (lab, report) => {
		const order = async () => (await lab.call('listTables', {})).map(({ name }) => name).join('\n')
		const first = await order()
		if ((await order()) !== first) report('listTables', 'Two calls list the tables in different orders.')
	},
	'schema.describe': async (lab, report) => {
		for (const { name } of (await lab.call('listTables', {})).slice(0, mostDescribed)) {
			const description = await lab.read('describeTable', { table: name })
			const place = `describeTable ${JSON.stringify(name)}`
			if (description.name !== name) report(place, `It describes itself as ${JSON.stringify(description.name)}.`)
			const columns = description.columns.map(column => column.name)
			for (const column of twice(columns)) report(place, `Two columns have the name ${JSON.stringify(column)}.`)
		}
	},
	'schema.unknown': async (lab, report) => {
		const calls = {
			describeTable: () => lab.call('describeTable', { table: unknownTable }),
			openGrid: () => lab.call('openGrid', { grid: 1, query: unfilteredQuery(unknownTable), offset: 0, limit: 1 }),
			countRows: () => lab.call('countRows', { query: unfilteredQuery(unknownTable) }),
		}
		for (const [method, work] of Object.entries(calls)) {
			const refused = await lab.refusal(work)
			if (refused?.code !== 'not_found')
				report(`${method} "${unknownTable}"`, `It fails with ${refused?.code ?? 'nothing'}, not with not_found.`)
		}
	},
	'schema.cannot': async (lab, report) => {
		const tables = (await lab.call('listTables', {})).filter(({ cannot }) => Object.keys(cannot ?? {}).length > 0)
		if (tables.length === 0) throw new DoesNotApply('Every table takes all changes.')
		const before = await stateOf(lab)
		for (const { name: table, cannot = {} } of tables.slice(0, mostDescribed)) {
			const { columns, rows } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
			const [row] = rows
			const values = { [columns[0]?.name ?? '']: row?.cells[0] ?? null }
			const rowId = row?.id ?? unknownTable
			const changes = {
				insert: { kind: 'insert', values },
				update: { kind: 'update', rowId, set: values },
				delete: { kind: 'delete', rowId },
			} as const
			for (const change of Object.values(changes).filter(({ kind }) => cannot[kind] !== undefined)) {
				const refused = await lab.refusal(() => lab.call('previewChanges', { table, changes: [change] }))
				if (refused?.code !== 'unsupported' && refused?.code !== 'invalid_argument')
					report(
						`previewChanges ${change.kind} ${JSON.stringify(table)}`,
						`The table says that it cannot, but it fails with ${refused?.code ?? 'nothing'}, not with unsupported.`,
					)
			}
		}
		if ((await stateOf(lab)) !== before) report('previewChanges', 'A preview that was refused has changed data.')
	},
	'schema.hostile-names': async (lab, report) => {
		for (const table of hostileNames) {
			const refused = await lab.refusal(() => lab.call('describeTable', { table }))
			const isUnderstood = refused?.code === 'not_found' || refused?.code === 'invalid_argument'
			if (!isUnderstood)
				report(
					`describeTable ${JSON.stringify(table.slice(0, 60))}`,
					`It fails with ${refused?.code ?? 'nothing'}, not with not_found.`,
				)
		}
	},
	'schema.objects': async (lab, report) => {
		const list = async () => (await lab.call('listObjects', {})).map(({ name }) => name)
		const names = await list()
		const hasObjects = lab.subject.manifest.hasObjects
		if (!hasObjects && names.length === 0) throw new DoesNotApply('It lists nothing beside tables.')
		if (!hasObjects)
			report('listObjects', 'The window does not call it, because the manifest has no `hasObjects: true`.')
		for (const name of twice(names)) report('listObjects', `Two objects have the name ${JSON.stringify(name)}.`)
		if ((await list()).join('\n') !== names.join('\n'))
			report('listObjects', 'Two calls list the objects in different orders.')
		for (const name of names.slice(0, mostDescribed)) {
			const sections = await lab.call('readObject', { name })
			if (sections.length === 0) report(`readObject ${JSON.stringify(name)}`, 'It has no facts.')
		}
		const refused = await lab.refusal(() => lab.call('readObject', { name: unknownTable }))
		if (hasObjects && refused?.code !== 'not_found')
			report(`readObject "${unknownTable}"`, `It fails with ${refused?.code ?? 'nothing'}, not with not_found.`)
	},
	'schema.form': checkTableForm,
	'schema.many': async (lab, report) => {
		if (!lab.file.manyTables) throw notGiven('`manyTables`', '`manyTables: count => ({ settings, stop })`')
		const { settings, stop } = await lab.file.manyTables(manyTables)
		try {
			const session = await lab.open({ ...lab.settings, ...settings })
			const startedAt = performance.now()
			const tables = await session.call('listTables', {})
			const tookMs = Math.round(performance.now() - startedAt)
			await session.close()
			if (tables.length < manyTables) report('listTables', `It lists ${tables.length} of ${manyTables} tables.`)
			if (tookMs > listLimitMs)
				report('listTables', `${manyTables} tables took ${tookMs} ms, the limit is ${listLimitMs}.`)
		} finally {
			await stop?.()
		}
	},
}

/** Returns the names that occur more than once. */
function twice(names: readonly string[]): ReadonlySet<string> {
	return new Set(names.filter((name, index) => names.indexOf(name) !== index))
}
