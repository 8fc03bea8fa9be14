import type { GridQuery } from '@roundhouse/kit'
import { DoesNotApply } from '../found.ts'
import type { Lab } from '../lab.ts'
import { everything, isEmpty, readRows, scalarOf, triedTable, withGrid } from '../rows.ts'
import { editsOf, withRow } from './edits-cases.ts'
import { filterTrials, type Trial } from './filter-trials.ts'
import type { RunsOf } from './run.ts'

/** Rows in pages: order, filters, counts. */

/** Page sizes, each with the number of rows that is read with it. */
const sizes = [
	[1, 20],
	[7, 210],
	[100, 1_000],
] as const

const unknownColumn = 'roundhouse_check_unknown'

/** Texts that leave a query's parentheses or quotes in one language or another. */
const escapes = [') OR (1=1', "' OR '1'='1", '*) OR (*:*', '1=1; --', '1=1 /*', '*:* #']

export const pagesCases: RunsOf<'pages'> = {
	'pages.sizes': async (lab, found) => {
		const table = await triedTable(lab)
		const whole = await readRows(lab, everything(table))
		const ids = whole.rows.map(({ id }) => id)
		if (ids.length === 0) throw new DoesNotApply(`The table ${table} has no rows. Name another one with \`table\`.`)
		const doubled = ids.find((id, index) => ids.indexOf(id) !== index)
		if (doubled !== undefined) found(`gridPage "${table}"`, `The row ${JSON.stringify(doubled)} occurs twice.`)
		for (const [size, most] of sizes) {
			const { rows } = await readRows(lab, everything(table), { size, most })
			const expected = JSON.stringify(ids.slice(0, rows.length))
			const isShort = rows.length < Math.min(most, ids.length)
			if (isShort || JSON.stringify(rows.map(({ id }) => id)) !== expected)
				found(`gridPage "${table}"`, `Pages of ${size} rows add up to other rows than pages of 1,000.`)
		}
	},
	'pages.jump': async (lab, found) => {
		const table = await triedTable(lab)
		const { rows } = await readRows(lab, everything(table), { most: 1_000 })
		const offset = Math.floor(rows.length / 2)
		const expected = rows.slice(offset, offset + 10).map(({ id }) => id)
		const { rows: jumped } = await withGrid(lab, { query: everything(table), limit: 1 }, grid =>
			lab.read('gridPage', { grid, offset, limit: 10 }),
		)
		if (JSON.stringify(jumped.slice(0, expected.length).map(({ id }) => id)) !== JSON.stringify(expected))
			found(`gridPage "${table}"`, `The page at ${offset} has other rows than reading from the start.`)
	},
	'pages.end': async (lab, found) => {
		const table = await triedTable(lab)
		const { rows, isWhole } = await readRows(lab, everything(table))
		if (!isWhole) throw new DoesNotApply(`The table ${table} has more than ${rows.length} rows.`)
		const after = await withGrid(lab, { query: everything(table), limit: 1 }, grid =>
			lab.read('gridPage', { grid, offset: rows.length, limit: 10 }),
		)
		if (after.rows.length > 0) found(`gridPage "${table}"`, 'A page after the last row has rows.')
	},
	'pages.count': async (lab, found) => {
		const table = await triedTable(lab)
		const { sort, ...query } = everything(table)
		const count = await lab.call('countRows', { query })
		const { rows, isWhole } = await readRows(lab, everything(table))
		const place = `countRows "${table}"`
		if (count.isExact && isWhole && count.value !== rows.length)
			found(place, `It says exactly ${count.value}, but there are ${rows.length} rows.`)
		if (count.value < rows.length && count.isExact)
			found(place, `It says exactly ${count.value}, but there are more rows.`)
	},
	'pages.apart': async (lab, found) => {
		const table = await triedTable(lab)
		await withGrid(lab, { query: everything(table), limit: 1 }, async grid => {
			await withGrid(lab, { query: everything(table), limit: 1 }, async () => {})
			const refused = await lab.refusal(() => lab.read('gridPage', { grid, offset: 0, limit: 1 }))
			if (refused) found(`closeGrid "${table}"`, `After another grid was closed, gridPage fails: ${refused.message}`)
		})
	},
	'pages.filter': async (lab, found) => {
		const { table, trials } = await trialsOf(lab)
		for (const trial of trials) {
			const place =
				`filter ${table}.${trial.filter.column} ${trial.filter.operator} ${trial.filter.values.map(value => JSON.stringify(value)).join()}`.trimEnd()
			const refused = await lab.refusal(async () => {
				const { rows } = await readRows(lab, { ...everything(table), filters: [trial.filter] })
				const ids = rows.map(({ id }) => id)
				const fault = faultOf(trial, ids)
				if (fault !== undefined) found(place, fault)
			})
			if (refused) found(place, `It fails with ${refused.code}: ${refused.message}`)
		}
	},
	'pages.sort': async (lab, found) => {
		const table = await triedTable(lab)
		const { columns } = await readRows(lab, everything(table), { size: 1, most: 1 })
		const sortable = columns.filter(
			({ isSortable, isVolatile, kind }) => isSortable && !isVolatile && kind === 'number',
		)
		if (sortable.length === 0) throw new DoesNotApply(`The table ${table} has no sortable number.`)
		for (const { name } of sortable) {
			for (const direction of ['asc', 'desc'] as const) {
				const query: GridQuery = { ...everything(table), sort: [{ column: name, direction }] }
				const { columns, rows } = await readRows(lab, query, { most: 1_000 })
				const at = columns.findIndex(column => column.name === name)
				const values = rows.flatMap(({ cells }) => (isEmpty(cells[at]) ? [] : [Number(scalarOf(cells[at]))]))
				const isOrdered = values.every((value, index) => {
					const before = values[index - 1] ?? value
					// Several values in one cell have no order that is visible here.
					return (
						Number.isNaN(value) || Number.isNaN(before) || (direction === 'asc' ? before <= value : before >= value)
					)
				})
				if (!isOrdered) found(`sort ${table}.${name} ${direction}`, 'The rows are in another order.')
			}
		}
	},
	'pages.unknown-column': async (lab, found) => {
		const table = await triedTable(lab)
		const filters = [{ column: unknownColumn, operator: 'equals', values: ['1'] }] as const
		const refused = await lab.refusal(() => readRows(lab, { ...everything(table), filters }, { size: 1, most: 1 }))
		const isRefused = refused?.code === 'invalid_argument' || refused?.code === 'not_found'
		if (!isRefused)
			found(
				`filter ${table}.${unknownColumn}`,
				`It fails with ${refused?.code ?? 'nothing'}, not with invalid_argument.`,
			)
	},
	'pages.inserted': async (lab, found) => {
		const { table, insert } = editsOf(lab)
		if (lab.file.can?.insert !== undefined) throw new DoesNotApply('The driver inserts no rows.')
		const { columns, rows, isWhole } = await readRows(lab, everything(table))
		if (!isWhole) throw new DoesNotApply(`The table ${table} has more than ${rows.length} rows.`)
		const ids = rows.map(({ id }) => id)
		// In both directions, so that the new row is before and behind the first page.
		const sorts = columns
			.filter(({ name, isSortable, isVolatile }) => isSortable && !isVolatile && Object.hasOwn(insert, name))
			.slice(0, 1)
			.flatMap(({ name: column }) => [
				[{ column, direction: 'asc' } as const],
				[{ column, direction: 'desc' } as const],
			])
		const limit = Math.max(1, Math.min(1_000, Math.ceil(ids.length / 3)))
		for (const sort of [[], ...(lab.file.can?.sort === undefined ? sorts : [])]) {
			const read = await withGrid(lab, { query: { ...everything(table), sort }, limit }, async (grid, first) => {
				const read = first.rows.map(({ id }) => id)
				await withRow(lab, async () => {
					let isOver = read.length < limit
					while (!isOver) {
						const page = await lab.read('gridPage', { grid, offset: read.length, limit })
						read.push(...page.rows.map(({ id }) => id))
						isOver = page.rows.length < limit
					}
				})
				return read
			})
			const place = `gridPage "${table}"${sort.map(({ column, direction }) => `, sort ${column} ${direction}`).join()}`
			const doubled = read.find((id, index) => read.indexOf(id) !== index)
			if (doubled !== undefined)
				found(place, `A row was inserted, and the row ${JSON.stringify(doubled)} occurs twice.`)
			const missing = ids.find(id => !read.includes(id))
			if (missing !== undefined) found(place, `A row was inserted, and the row ${JSON.stringify(missing)} is missing.`)
		}
	},
	'pages.raw': async (lab, found) => {
		if (!lab.subject.manifest.rawQuery) throw new DoesNotApply('The manifest has no rawQuery.')
		const { table, trials } = await trialsOf(lab)
		const trial = trials.find(({ filter }) => filter.operator === 'equals')
		if (!trial) throw new DoesNotApply(`No column of ${table} can be compared.`)
		for (const raw of escapes) {
			const query: GridQuery = { ...everything(table), filters: [trial.filter], raw }
			const refused = await lab.refusal(async () => {
				const { rows } = await readRows(lab, query, { most: 1_000 })
				const stray = rows.find(({ id }) => !trial.mayMatch.has(id))
				if (stray)
					found(
						`raw query ${JSON.stringify(raw)}`,
						`The row ${JSON.stringify(stray.id)} does not match the filter beside it.`,
					)
			})
			if (refused?.code === 'internal_failure')
				found(`raw query ${JSON.stringify(raw)}`, 'The driver failed unexpectedly.')
		}
	},
	'pages.row': async (lab, found) => {
		const table = await triedTable(lab)
		const { rows } = await readRows(lab, everything(table), { size: 1, most: 1 })
		const [row] = rows
		if (!row) throw new DoesNotApply(`The table ${table} has no rows.`)
		const whole = await lab.read('readRow', { table, rowId: row.id })
		const place = `readRow "${table}"`
		if (whole.id !== row.id)
			found(place, `The row ${JSON.stringify(row.id)} is returned as ${JSON.stringify(whole.id)}.`)
		if (whole.version !== row.version) found(place, 'The version of the row differs from that of its page.')
		const refused = await lab.refusal(() => lab.read('readRow', { table, rowId: `${row.id}-unknown` }))
		const isRefused = refused?.code === 'not_found' || refused?.code === 'invalid_argument'
		if (!isRefused) found(place, `An unknown row fails with ${refused?.code ?? 'nothing'}, not with not_found.`)
	},
}

async function trialsOf(lab: Lab): Promise<{ readonly table: string; readonly trials: readonly Trial[] }> {
	const table = await triedTable(lab)
	const rows = await readRows(lab, everything(table))
	if (!rows.isWhole)
		throw new DoesNotApply(`The table ${table} is too large to compare. Name another one with \`table\`.`)
	const trials = filterTrials(rows)
	if (trials.length === 0) throw new DoesNotApply(`No column of ${table} can be compared.`)
	return { table, trials }
}

/** Returns what is wrong with the ids that a filter returned. */
function faultOf({ filter, cells, mustMatch, mayMatch }: Trial, ids: readonly string[]): string | undefined {
	const returned = new Set(ids)
	const missing = [...mustMatch].filter(id => !returned.has(id))
	const stray = ids.filter(id => !mayMatch.has(id))
	const [wrong, what] =
		missing.length > 0 ? [missing, 'match, but are not returned'] : [stray, 'are returned, but do not match']
	if (wrong.length === 0) return undefined
	const shown = wrong
		.slice(0, mostShown)
		.map(id => `row ${JSON.stringify(id)} has ${JSON.stringify(cells.get(id)) ?? 'nothing'}`)
	const others = wrong.length > mostShown ? ` and ${wrong.length - mostShown} more` : ''
	return `In the column ${filter.column}, ${cut(`${shown.join(', ')}${others}`)}: they ${what}.`
}

/** Rows of a finding, which stays on one line. */
const mostShown = 3
const longestShown = 160
const cut = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)
