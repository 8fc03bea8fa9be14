import { type Cell, type Change, type ChangeOutcome, type Column, isExactNumber, type Row } from '@roundhouse/kit'
import type { EditExample } from '@roundhouse/kit/conformance'
import { CaseFailure, DoesNotApply, notGiven, type Report } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { cellsById, readRows, stateOf, unfilteredQuery } from '../rows.ts'
import type { RunsOf } from './run.ts'

/** Changes of rows. Each case works on a row that it inserts, or on an existing one if the driver cannot insert. */

type Values = Readonly<Record<string, Cell>>

/** Values that no example has, by the kind of the column. */
const otherValues: Readonly<Partial<Record<Column['kind'], Cell>>> = {
	number: 987_654_321,
	boolean: true,
	json: { json: '{}' },
}

export const editsCases: RunsOf<'edits'> = {
	'edits.preview': async (lab, report) => {
		const { table, update } = editsOf(lab)
		await withRow(lab, async row => {
			const before = await stateOf(lab)
			const changes = [{ kind: 'update', rowId: row.id, set: update }] as const
			const quoted = await lab.call('previewChanges', { table, changes })
			if (quoted.join('').trim() === '') report(`previewChanges "${table}"`, 'The preview of an update is empty.')
			if ((await stateOf(lab)) !== before) report(`previewChanges "${table}"`, 'The preview has changed rows.')
		})
	},
	'edits.insert': async (lab, report) => {
		const { table, insert } = editsOf(lab)
		const before = cellsById(await readRows(lab, unfilteredQuery(table)))
		await withRow(lab, async row => {
			if (before.has(row.id))
				report(`applyChanges "${table}"`, `The inserted row has the id ${JSON.stringify(row.id)} of an older one.`)
			await compare(lab, { id: row.id, values: insert, report })
		})
	},
	'edits.update': async (lab, report) => {
		const { table, update } = editsOf(lab)
		await withRow(lab, async row => {
			const before = cellsById(await readRows(lab, unfilteredQuery(table)))
			const outcome = await applied(lab, { kind: 'update', rowId: row.id, ...versionOf(row), set: update })
			const id = outcome.rowId ?? row.id
			await compare(lab, { id, values: update, report })
			const { columns, rows } = await readRows(lab, unfilteredQuery(table))
			for (const { id: other, cells } of rows) {
				const old = before.get(other)
				if (!old) continue
				for (const [at, { name, isKey, isReadOnly, isVolatile }] of columns.entries()) {
					if (isVolatile) continue
					// Keys and generated columns may follow a change, for example a time of update.
					if (other === id && (Object.hasOwn(update, name) || isKey || isReadOnly)) continue
					if (isSame(cells[at], old.cells[at])) continue
					report(
						`row ${JSON.stringify(other)}, column ${name}`,
						'An update that does not name this value has changed it.',
					)
				}
			}
			const after = rows.find(row => row.id === id)
			if (row.version !== undefined && after?.version === row.version)
				report(`row ${JSON.stringify(id)}`, 'The row has the same version before and after an update.')
		})
	},
	'edits.conflict': async (lab, report) => {
		const { table, update } = editsOf(lab)
		await withRow(lab, async row => {
			if (row.version === undefined) {
				report(`gridPage "${table}"`, 'Rows have no version, so a conflict cannot be detected.')
				return
			}
			await applied(lab, { kind: 'update', rowId: row.id, version: row.version, set: update })
			const before = await stateOf(lab)
			for (const late of [
				{ kind: 'update', rowId: row.id, version: row.version, set: update },
				{ kind: 'delete', rowId: row.id, version: row.version },
			] as const) {
				const [outcome] = await apply(lab, [late])
				if (outcome?.status !== 'conflict')
					report(`applyChanges ${late.kind}`, `A change of an old version is ${outcome?.status}, not conflict.`)
			}
			if ((await stateOf(lab)) !== before) report('applyChanges', 'A change of an old version has changed rows.')
		})
	},
	'edits.after-insert': async (lab, report) => {
		const { table } = editsOf(lab)
		const { columns } = await readRows(lab, unfilteredQuery(table), { size: 1, maxRows: 1 })
		const kept = columns.filter(({ isReadOnly }) => isReadOnly === 'after_insert')
		if (kept.length === 0) throw new DoesNotApply(`No column of ${table} is read-only after the insertion.`)
		await withRow(lab, async row => {
			const before = await stateOf(lab)
			for (const { name, kind } of kept) {
				const set = { [name]: otherValues[kind] ?? 'other' }
				let outcome: ChangeOutcome | undefined
				const refused = await lab.refusal(async () => {
					const changes = [{ kind: 'update', rowId: row.id, ...versionOf(row), set }] as const
					outcome = (await apply(lab, changes))[0]
				})
				const place = `applyChanges update, column ${name}`
				if (outcome?.status === 'applied')
					report(place, 'Only an insertion may set it, but an update of it is applied.')
				else if (refused && refused.code !== 'invalid_argument' && refused.code !== 'unsupported')
					report(place, `An update of it fails with ${refused.code}, not with invalid_argument.`)
			}
			if ((await stateOf(lab)) !== before)
				report(
					`applyChanges "${table}"`,
					'A refused update of a column that only an insertion may set has changed data.',
				)
		})
	},
	'edits.delete': async (lab, report) => {
		const { table, update } = editsOf(lab)
		await withRow(lab, async row => {
			await applied(lab, { kind: 'delete', rowId: row.id, ...versionOf(row) })
			const { rows } = await readRows(lab, unfilteredQuery(table))
			if (rows.some(({ id }) => id === row.id))
				report(`row ${JSON.stringify(row.id)}`, 'The row is still there after it was deleted.')
			const [outcome] = await apply(lab, [{ kind: 'update', rowId: row.id, ...versionOf(row), set: update }])
			if (outcome?.status === 'applied') report('applyChanges update', 'An update of a deleted row is applied.')
			const again = await readRows(lab, unfilteredQuery(table))
			if (again.rows.some(({ id }) => id === row.id))
				report('applyChanges update', 'An update of a deleted row creates it again.')
		})
	},
	'edits.one-row': async (lab, report) => {
		const { table, insert, update } = editsOf(lab)
		if (lab.file.can?.insert !== undefined) throw new DoesNotApply('The driver inserts no rows.')
		await withRow(lab, async row => {
			await withOther(lab, insert, async twin => {
				if (lab.file.can?.update === undefined) {
					const { rowId = row.id, version } = await applied(lab, {
						kind: 'update',
						rowId: row.id,
						...versionOf(row),
						set: update,
					})
					await compare(lab, { id: twin.id, values: insert, report })
					await applied(lab, { kind: 'delete', rowId, ...(version !== undefined && { version }) })
				} else await applied(lab, { kind: 'delete', rowId: row.id, ...versionOf(row) })
				await compare(lab, { id: twin.id, values: insert, report })
			})
			if (row.version === undefined || lab.file.can?.detectConflicts !== undefined) return
			// Other values, because a version may be a digest of them.
			const others = { ...insert, ...update }
			await withOther(lab, others, async next => {
				const late = { kind: 'delete', rowId: row.id, version: row.version ?? '' } as const
				let outcome: ChangeOutcome | undefined
				const refused = await lab.refusal(async () => {
					outcome = (await apply(lab, [late]))[0]
				})
				if (!refused && outcome?.status === 'applied')
					report(`applyChanges "${table}"`, 'A deletion of a row that was deleted before is applied.')
				await compare(lab, { id: next.id, values: others, report })
			})
		})
	},
	'edits.outcomes': async (lab, report) => {
		const { table, update } = editsOf(lab)
		await withRow(lab, async row => {
			const rowId = `${row.id}-unknown`
			const changes: Change[] = [
				{ kind: 'update', rowId, set: update },
				{ kind: 'update', rowId: row.id, set: update },
			]
			let outcomes: readonly ChangeOutcome[] = []
			const refused = await lab.refusal(async () => {
				outcomes = await apply(lab, changes)
			})
			// A driver may refuse a row id that it never made.
			if (refused?.code === 'invalid_argument' || refused?.code === 'not_found') return
			if (refused) throw refused
			if (outcomes.length !== changes.length)
				report(`applyChanges "${table}"`, `There are ${outcomes.length} outcomes for ${changes.length} changes.`)
			if (outcomes[0]?.status === 'applied') report('applyChanges update', 'An update of an unknown row is applied.')
		})
	},
	'edits.import': async (lab, report) => {
		const { table, insert } = editsOf(lab)
		const before = cellsById(await readRows(lab, unfilteredQuery(table)))
		const added = async () => (await readRows(lab, unfilteredQuery(table))).rows.filter(({ id }) => !before.has(id))
		const place = `openImport "${table}"`
		try {
			const aborted = await importRow(lab)
			await lab.call('abortImport', { import: aborted.number })
			const stays = aborted.isApplied && !lab.subject.manifest.savesWhole
			if ((await added()).length > 0 && !stays) report(place, 'An import that was aborted has stored a row.')
			if ((await added()).length === 0 && stays) report(place, 'A row that is called applied is not there.')
			await removeAll(lab, await added())
			const { number, isApplied } = await importRow(lab)
			await lab.call('finishImport', { import: number })
			const rows = await added()
			if (rows.length !== (isApplied ? 1 : 0))
				report(place, `A row is called ${isApplied ? 'applied' : 'not applied'}, and ${rows.length} rows are there.`)
			for (const { id } of rows) await compare(lab, { id, values: insert, report })
		} finally {
			await removeAll(lab, await added())
		}
	},
	'edits.whole': async (lab, report) => {
		const { table, insert, update } = editsOf(lab)
		if (!lab.subject.manifest.savesWhole) throw new DoesNotApply('The manifest has no savesWhole.')
		await withRow(lab, async row => {
			if (row.version === undefined) throw new DoesNotApply('Rows have no version, so no change is sure to fail.')
			const before = await stateOf(lab)
			// The first change makes the version of the second one old.
			const outcomes = await apply(lab, [
				{ kind: 'update', rowId: row.id, set: update },
				{ kind: 'update', rowId: row.id, version: row.version, set: insert },
			])
			const place = `applyChanges "${table}"`
			if (outcomes.some(({ status }) => status === 'applied'))
				report(place, 'A save with a conflict says that a change of it is applied.')
			if ((await stateOf(lab)) !== before) report(place, 'A save with a conflict has changed rows.')
		})
	},
}

export function editsOf(lab: Lab): EditExample {
	if (!lab.file.edits)
		throw notGiven('`edits`', "`edits: { table: 'notes', insert: { text: 'a' }, update: { text: 'b' } }`")
	return lab.file.edits
}

const apply = (lab: Lab, changes: readonly Change[]) => lab.call('applyChanges', { table: editsOf(lab).table, changes })

/** Applies one change that must succeed. @throws Fault */
export async function applied(lab: Lab, change: Change): Promise<Extract<ChangeOutcome, { status: 'applied' }>> {
	const [outcome] = await apply(lab, [change])
	if (outcome?.status === 'applied') return outcome
	const why = outcome && 'message' in outcome ? `: ${outcome.message}` : ''
	throw new CaseFailure(`applyChanges ${change.kind}`, `The change is ${outcome?.status ?? 'without an outcome'}${why}`)
}

/** Opens an import, and writes the row of the example. */
async function importRow(lab: Lab): Promise<{ readonly number: number; readonly isApplied: boolean }> {
	const { table, insert } = editsOf(lab)
	const options = { columns: Object.keys(insert), onConflict: 'fail' } as const
	const number = await lab.call('openImport', { table, options })
	if (number === null) throw new DoesNotApply('The driver has no openImport.')
	const outcomes = await lab.call('writeImport', { import: number, rows: [Object.values(insert)] })
	const [outcome] = outcomes
	if (outcomes.length !== 1 || !outcome)
		throw new CaseFailure(`openImport "${table}"`, `There are ${outcomes.length} outcomes for 1 row.`)
	return { number, isApplied: outcome.status === 'applied' }
}

async function removeAll(lab: Lab, rows: readonly Row[]): Promise<void> {
	if (lab.file.can?.delete !== undefined || rows.length === 0) return
	await apply(
		lab,
		rows.map(({ id }) => ({ kind: 'delete', rowId: id })),
	)
}

/** Runs `work` with a row that may be changed, and removes the row if it was inserted for this. */
export async function withRow(lab: Lab, work: (row: Row) => Promise<void>): Promise<void> {
	const { table, insert } = editsOf(lab)
	const before = await readRows(lab, unfilteredQuery(table))
	if (lab.file.can?.insert !== undefined) {
		const [first] = before.rows
		if (!first) throw new DoesNotApply(`The table ${table} has no rows.`)
		return work(first)
	}
	await applied(lab, { kind: 'insert', values: insert })
	const known = cellsById(before)
	const after = await readRows(lab, unfilteredQuery(table))
	const inserted = after.rows.filter(({ id }) => !known.has(id))
	const [row] = inserted
	if (!row || inserted.length > 1)
		throw new CaseFailure(`applyChanges "${table}"`, `After one insertion there are ${inserted.length} new rows.`)
	try {
		await work(row)
	} finally {
		if (lab.file.can?.delete === undefined) {
			// Without a version: the row may have another one by now. A case may have deleted it.
			await lab.refusal(() => apply(lab, [{ kind: 'delete', rowId: row.id }]))
		}
	}
}

/** Runs `work` with another row, and removes it. Does nothing if the table refuses the row, for example as a duplicate. */
async function withOther(lab: Lab, values: Values, work: (other: Row) => Promise<void>): Promise<void> {
	const { table } = editsOf(lab)
	const known = cellsById(await readRows(lab, unfilteredQuery(table)))
	const [outcome] = await apply(lab, [{ kind: 'insert', values }])
	if (outcome?.status !== 'applied') return
	const added = (await readRows(lab, unfilteredQuery(table))).rows.filter(({ id }) => !known.has(id))
	const [other] = added
	if (!other || added.length > 1)
		throw new CaseFailure(`applyChanges "${table}"`, `After one insertion there are ${added.length} new rows.`)
	try {
		await work(other)
	} finally {
		await lab.refusal(() => apply(lab, [{ kind: 'delete', rowId: other.id, ...versionOf(other) }]))
	}
}

export const versionOf = ({ version }: Row) => (version === undefined ? {} : { version })

export async function compare(
	lab: Lab,
	{ id, values, report }: { readonly id: string; readonly values: Values; readonly report: Report },
): Promise<void> {
	const { columns, rows } = await readRows(lab, unfilteredQuery(editsOf(lab).table))
	const row = rows.find(row => row.id === id)
	if (!row) return report(`row ${JSON.stringify(id)}`, 'The row is not there after the change.')
	for (const [name, value] of Object.entries(values)) {
		const at = columns.findIndex(column => column.name === name)
		if (columns[at]?.isVolatile) continue
		if (!isSame(row.cells[at], value))
			report(
				`row ${JSON.stringify(id)}, column ${name}`,
				`It is ${JSON.stringify(row.cells[at])}, but ${JSON.stringify(value)} was written.`,
			)
	}
}

/** Compares cells. A number is the same with and without its wrapper. */
export function isSame(one: Cell | undefined, other: Cell | undefined): boolean {
	return textOf(one) === textOf(other)
}

function textOf(cell: Cell | undefined): string {
	if (isExactNumber(cell)) return cell.rawJSON
	if (typeof cell === 'object' && cell !== null && 'number' in cell) return cell.number
	return JSON.stringify(cell) ?? ''
}
