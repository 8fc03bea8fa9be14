import { cutText, type GridPage, type GridQuery } from '@roundhouse/kit'
import { DoesNotApply, type Report } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { isEmpty, pageSize, type Rows, readRows, scalarOf, testTable, unfilteredQuery, withGrid } from '../rows.ts'
import { applied, editsOf, withRow } from './edits-cases.ts'
import { type FilterExpectation, filterExpectations } from './filter-expectations.ts'
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
	'pages.sizes': async (lab, report) => {
		const table = await testTable(lab)
		const whole = await readRows(lab, unfilteredQuery(table))
		const ids = whole.rows.map(({ id }) => id)
		if (ids.length === 0) throw new DoesNotApply(`The table ${table} has no rows. Name another one with \`table\`.`)
		const doubled = ids.find((id, index) => ids.indexOf(id) !== index)
		if (doubled !== undefined) report(`gridPage "${table}"`, `The row ${JSON.stringify(doubled)} occurs twice.`)
		for (const [at, { name, isUniform }] of whole.columns.entries()) {
			if (isUniform && new Set(whole.rows.map(({ cells }) => JSON.stringify(cells[at]))).size > 1)
				report(`gridPage "${table}"`, `The column ${JSON.stringify(name)} is uniform, but its values differ.`)
		}
		for (const [size, maxRows] of sizes) {
			const { rows } = await readRows(lab, unfilteredQuery(table), { size, maxRows })
			const expected = JSON.stringify(ids.slice(0, rows.length))
			const isShort = rows.length < Math.min(maxRows, ids.length)
			if (isShort || JSON.stringify(rows.map(({ id }) => id)) !== expected)
				report(`gridPage "${table}"`, `Pages of ${size} rows add up to other rows than pages of 1,000.`)
		}
	},
	'pages.jump': async (lab, report) => {
		const table = await testTable(lab)
		const { rows } = await readRows(lab, unfilteredQuery(table), { maxRows: 1_000 })
		const offset = Math.floor(rows.length / 2)
		const expected = rows.slice(offset, offset + 10).map(({ id }) => id)
		const { rows: jumped } = await withGrid(lab, { query: unfilteredQuery(table), limit: 1 }, grid =>
			lab.read('gridPage', { grid, offset, limit: 10 }),
		)
		if (JSON.stringify(jumped.slice(0, expected.length).map(({ id }) => id)) !== JSON.stringify(expected))
			report(`gridPage "${table}"`, `The page at ${offset} has other rows than reading from the start.`)
	},
	'pages.end': async (lab, report) => {
		const table = await testTable(lab)
		const { rows, isWhole } = await readRows(lab, unfilteredQuery(table))
		if (!isWhole) throw new DoesNotApply(`The table ${table} has more than ${rows.length} rows.`)
		const after = await withGrid(lab, { query: unfilteredQuery(table), limit: 1 }, grid =>
			lab.read('gridPage', { grid, offset: rows.length, limit: 10 }),
		)
		if (after.rows.length > 0) report(`gridPage "${table}"`, 'A page after the last row has rows.')
	},
	'pages.count': async (lab, report) => {
		const table = await testTable(lab)
		const { sort, ...query } = unfilteredQuery(table)
		const count = await lab.call('countRows', { query })
		const { rows, isWhole } = await readRows(lab, unfilteredQuery(table))
		const place = `countRows "${table}"`
		if (count.isExact && isWhole && count.value !== rows.length)
			report(place, `It says exactly ${count.value}, but there are ${rows.length} rows.`)
		if (count.value < rows.length && count.isExact)
			report(place, `It says exactly ${count.value}, but there are more rows.`)
	},
	'pages.apart': async (lab, report) => {
		const table = await testTable(lab)
		await withGrid(lab, { query: unfilteredQuery(table), limit: 1 }, async grid => {
			await withGrid(lab, { query: unfilteredQuery(table), limit: 1 }, async () => {})
			const refused = await lab.refusal(() => lab.read('gridPage', { grid, offset: 0, limit: 1 }))
			if (refused) report(`closeGrid "${table}"`, `After another grid was closed, gridPage fails: ${refused.message}`)
		})
	},
	'pages.filter': async (lab, report) => {
		const { table, expectations } = await expectationsOf(lab)
		for (const expectation of expectations) {
			const place =
				`filter ${table}.${expectation.filter.column} ${expectation.filter.operator} ${expectation.filter.values.map(value => JSON.stringify(value)).join()}`.trimEnd()
			const refused = await lab.refusal(async () => {
				const { rows } = await readRows(lab, { ...unfilteredQuery(table), filters: [expectation.filter] })
				const ids = rows.map(({ id }) => id)
				const fault = faultOf(expectation, ids)
				if (fault !== undefined) report(place, fault)
			})
			if (refused) report(place, `It fails with ${refused.code}: ${refused.message}`)
		}
	},
	'pages.sort': async (lab, report) => {
		const table = await testTable(lab)
		const { columns } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
		const sortable = columns.filter(
			({ isSortable, isVolatile, kind }) => isSortable && !isVolatile && kind === 'number',
		)
		if (sortable.length === 0) throw new DoesNotApply(`The table ${table} has no sortable number.`)
		for (const { name } of sortable) {
			for (const direction of ['asc', 'desc'] as const) {
				const query: GridQuery = { ...unfilteredQuery(table), sort: [{ column: name, direction }] }
				const { columns, rows } = await readRows(lab, query, { maxRows: 1_000 })
				const at = columns.findIndex(column => column.name === name)
				const values = rows.flatMap(({ cells }) => (isEmpty(cells[at]) ? [] : [Number(scalarOf(cells[at]))]))
				const isOrdered = values.every((value, index) => {
					const before = values[index - 1] ?? value
					// Several values in one cell have no order that is visible here.
					return (
						Number.isNaN(value) || Number.isNaN(before) || (direction === 'asc' ? before <= value : before >= value)
					)
				})
				if (!isOrdered) report(`sort ${table}.${name} ${direction}`, 'The rows are in another order.')
			}
		}
	},
	'pages.unknown-column': async (lab, report) => {
		const table = await testTable(lab)
		const filters = [{ column: unknownColumn, operator: 'equals', values: ['1'] }] as const
		const refused = await lab.refusal(() =>
			readRows(lab, { ...unfilteredQuery(table), filters }, { size: 1, maxRows: 1 }),
		)
		const isRefused = refused?.code === 'invalid_argument' || refused?.code === 'not_found'
		if (!isRefused)
			report(
				`filter ${table}.${unknownColumn}`,
				`It fails with ${refused?.code ?? 'nothing'}, not with invalid_argument.`,
			)
	},
	'pages.inserted': async (lab, report) => {
		const { table } = editsOf(lab)
		if (lab.file.can?.insert !== undefined) throw new DoesNotApply('The driver inserts no rows.')
		await readBeside(lab, report, { table, change: 'A row was inserted' }, async ({ query, limit }) =>
			withGrid(lab, { query, limit }, async (grid, first) => {
				let read: readonly string[] = []
				await withRow(lab, async () => {
					read = await otherPages(lab, { grid, first, limit })
				})
				return read
			}),
		)
	},
	'pages.deleted': async (lab, report) => {
		const { table } = editsOf(lab)
		if (lab.file.can?.insert !== undefined || lab.file.can?.delete !== undefined)
			throw new DoesNotApply('The driver does not insert and delete rows.')
		await readBeside(lab, report, { table, change: 'A row was deleted' }, async ({ query, limit }) => {
			let read: readonly string[] = []
			await withRow(lab, async row => {
				read = await withGrid(lab, { query, limit }, async (grid, first) => {
					await applied(lab, { kind: 'delete', rowId: row.id })
					return otherPages(lab, { grid, first, limit })
				})
			})
			return read
		})
	},
	'pages.raw': async (lab, report) => {
		if (!lab.subject.manifest.rawQuery) throw new DoesNotApply('The manifest has no rawQuery.')
		const { table, expectations } = await expectationsOf(lab)
		const expectation = expectations.find(({ filter }) => filter.operator === 'equals')
		if (!expectation) throw new DoesNotApply(`No column of ${table} can be compared.`)
		for (const raw of escapes) {
			const query: GridQuery = { ...unfilteredQuery(table), filters: [expectation.filter], raw }
			const refused = await lab.refusal(async () => {
				const { rows } = await readRows(lab, query, { maxRows: 1_000 })
				const stray = rows.find(({ id }) => !expectation.mayMatch.has(id))
				if (stray)
					report(
						`raw query ${JSON.stringify(raw)}`,
						`The row ${JSON.stringify(stray.id)} does not match the filter beside it.`,
					)
			})
			if (refused?.code === 'internal_failure')
				report(`raw query ${JSON.stringify(raw)}`, 'The driver failed unexpectedly.')
		}
	},
	'pages.row': async (lab, report) => {
		const table = await testTable(lab)
		const { rows } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
		const [row] = rows
		if (!row) throw new DoesNotApply(`The table ${table} has no rows.`)
		const whole = await lab.read('readRow', { table, rowId: row.id })
		const place = `readRow "${table}"`
		if (whole.id !== row.id)
			report(place, `The row ${JSON.stringify(row.id)} is returned as ${JSON.stringify(whole.id)}.`)
		if (whole.version !== row.version) report(place, 'The version of the row differs from that of its page.')
		const refused = await lab.refusal(() => lab.read('readRow', { table, rowId: `${row.id}-unknown` }))
		const isRefused = refused?.code === 'not_found' || refused?.code === 'invalid_argument'
		if (!isRefused) report(place, `An unknown row fails with ${refused?.code ?? 'nothing'}, not with not_found.`)
	},
}

/**
 * Reads the table in pages while another client changes a row, in each order and with borders around the place of the row.
 * @param change what the other client did, as a clause @param read reads the pages, and returns the ids of their rows
 */
async function readBeside(
	lab: Lab,
	report: Report,
	{ table, change }: { readonly table: string; readonly change: string },
	read: (asked: { readonly query: GridQuery; readonly limit: number }) => Promise<readonly string[]>,
): Promise<void> {
	for (const sort of sortsOfNewRow(lab, await wholeRows(lab, table))) {
		const query: GridQuery = { ...unfilteredQuery(table), sort }
		const ids = (await wholeRows(lab, table, query)).rows.map(({ id }) => id)
		for (const limit of bordersAt(await placeOfNewRow(lab, query), ids.length)) {
			const place = `gridPage "${table}", pages of ${limit}${shownSort(sort)}`
			reportPages(report, place, { read: await read({ query, limit }), expected: ids, change })
		}
	}
}

/** Reads a table whole, or leaves the case out. */
async function wholeRows(lab: Lab, table: string, query = unfilteredQuery(table)): Promise<Rows> {
	const read = await readRows(lab, query)
	if (!read.isWhole) throw new DoesNotApply(`The table ${table} has more than ${read.rows.length} rows.`)
	return read
}

/** No sort, and both directions of one column that the example of an insertion fills. */
function sortsOfNewRow(lab: Lab, { columns }: Rows): readonly GridQuery['sort'][] {
	const { insert } = editsOf(lab)
	const sorted = columns.find(
		({ name, isSortable, isVolatile }) => isSortable && !isVolatile && Object.hasOwn(insert, name),
	)
	if (!sorted || lab.file.can?.sort !== undefined) return [[]]
	return [[], [{ column: sorted.name, direction: 'asc' }], [{ column: sorted.name, direction: 'desc' }]]
}

/** Index of the row that the example inserts among the rows of a query. */
async function placeOfNewRow(lab: Lab, query: GridQuery): Promise<number> {
	let place = 0
	await withRow(lab, async ({ id }) => {
		place = (await readRows(lab, query)).rows.findIndex(row => row.id === id)
	})
	return place
}

/** Page sizes whose first border is a row before a place, at it, and behind it; and one for a third of the rows. */
const bordersAt = (place: number, rows: number) =>
	new Set(
		[place - 1, place, place + 1, place + 2, Math.ceil(rows / 3)].map(size => Math.max(1, Math.min(pageSize, size))),
	)

/** Reads the pages after the first, and returns the ids of all rows. */
async function otherPages(
	lab: Lab,
	{ grid, first, limit }: { readonly grid: number; readonly first: GridPage; readonly limit: number },
): Promise<readonly string[]> {
	const read = first.rows.map(({ id }) => id)
	let isOver = read.length < limit
	while (!isOver) {
		const page = await lab.read('gridPage', { grid, offset: read.length, limit })
		read.push(...page.rows.map(({ id }) => id))
		isOver = page.rows.length < limit
	}
	return read
}

function reportPages(
	report: Report,
	place: string,
	{ read, expected, change }: { read: readonly string[]; expected: readonly string[]; change: string },
) {
	const seen = new Set(read)
	const doubled = read.find((id, index) => read.indexOf(id) !== index)
	if (doubled !== undefined) report(place, `${change}, and the row ${JSON.stringify(doubled)} occurs twice.`)
	const missing = expected.find(id => !seen.has(id))
	if (missing !== undefined) report(place, `${change}, and the row ${JSON.stringify(missing)} is missing.`)
}

const shownSort = (sort: GridQuery['sort']) =>
	sort.map(({ column, direction }) => `, sort ${column} ${direction}`).join('')

async function expectationsOf(
	lab: Lab,
): Promise<{ readonly table: string; readonly expectations: readonly FilterExpectation[] }> {
	const table = await testTable(lab)
	const rows = await readRows(lab, unfilteredQuery(table))
	if (!rows.isWhole)
		throw new DoesNotApply(`The table ${table} is too large to compare. Name another one with \`table\`.`)
	const expectations = filterExpectations(rows)
	if (expectations.length === 0) throw new DoesNotApply(`No column of ${table} can be compared.`)
	return { table, expectations }
}

/** Returns what is wrong with the ids that a filter returned. */
function faultOf(
	{ filter, cells, mustMatch, mayMatch }: FilterExpectation,
	ids: readonly string[],
): string | undefined {
	const returned = new Set(ids)
	const missing = [...mustMatch].filter(id => !returned.has(id))
	const stray = ids.filter(id => !mayMatch.has(id))
	const [wrong, what] =
		missing.length > 0 ? [missing, 'match, but are not returned'] : [stray, 'are returned, but do not match']
	if (wrong.length === 0) return undefined
	const quoted = wrong
		.slice(0, mostShown)
		.map(id => `row ${JSON.stringify(id)} has ${JSON.stringify(cells.get(id)) ?? 'nothing'}`)
	const others = wrong.length > mostShown ? ` and ${wrong.length - mostShown} more` : ''
	return `In the column ${filter.column}, ${cutText(`${quoted.join(', ')}${others}`, longestShown)}: they ${what}.`
}

/** Rows of a finding, which stays on one line. */
const mostShown = 3
const longestShown = 160
