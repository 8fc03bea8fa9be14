import { createRoot } from 'solid-js'
import { describe, expect, test } from 'vitest'
import type { Cell, ChangeOutcome, Column, Row } from '../../../host/api/api.ts'
import { comparedCells, otherChanges } from './compared.ts'
import { createEdits, type Edits } from './edits.ts'
import {
	changesOf,
	countOf,
	newRowId,
	nothing,
	rebased,
	settled,
	withCells,
	withDeletedToggled,
	withInserts,
} from './staged.ts'

const column = (name: string): Column => ({
	name,
	type: 'text',
	kind: 'text',
	isKey: false,
	isReadOnly: false,
	isSortable: true,
})
const [title, year] = [column('title'), column('year')]
const ada: Row = { id: 'ada', version: '1', cells: ['A', 1815] }
const bob: Row = { id: 'bob', cells: ['B', 1900] }
const titled = (row: Row, after: string | null) => ({ row, column: title, before: row.cells[0] ?? null, after })

describe('staged changes', () => {
	test('are sent in their order, each row against the version that was read', () => {
		const cells = withCells(nothing, [titled(bob, 'C'), { row: bob, column: year, before: 1900, after: null }])
		const staged = withInserts(withDeletedToggled(cells, [ada]), [{ id: 'new 1', values: { title: 'new' } }])
		expect(countOf(staged)).toBe(4)
		expect(changesOf(staged)).toEqual([
			{ kind: 'update', rowId: 'bob', set: { title: 'C', year: null } },
			{ kind: 'delete', rowId: 'ada', version: '1' },
			{ kind: 'insert', values: { title: 'new' } },
		])
	})

	test('of a saved row and of new rows are one step of undo', () => {
		createRoot(dispose => {
			const edits = createEdits()
			const id = newRowId()
			const changes = [titled(ada, 'X'), { row: { id }, column: title, before: null, after: 'new' }]
			edits.setCells(changes, [{ id, values: {} }])
			expect(edits.changes()).toEqual([
				{ kind: 'update', rowId: 'ada', version: '1', set: { title: 'X' } },
				{ kind: 'insert', values: { title: 'new' } },
			])
			edits.undo()
			expect(edits.changes()).toEqual([])
			dispose()
		})
	})

	test('that change nothing are no step of undo', () => {
		createRoot(dispose => {
			const edits = createEdits()
			edits.setCells([])
			edits.setCells([titled(ada, 'A')])
			expect(edits.canUndo()).toBe(false)
			edits.setCells([titled(ada, 'X')])
			edits.setCells([titled(ada, 'X')])
			edits.undo()
			expect(edits.canUndo()).toBe(false)
			dispose()
		})
	})

	test('are removed when a cell gets its old value again', () => {
		const once = withCells(nothing, [titled(ada, 'X')])
		const twice = withCells(once, [{ ...titled(ada, 'Y'), before: 'X' }])
		expect(twice.rows.get('ada')?.cells.get('title')).toEqual({ before: 'A', after: 'Y' })
		expect(withCells(twice, [{ ...titled(ada, 'A'), before: 'Y' }])).toEqual(nothing)
	})

	test('mark several rows for deletion, or remove the marks if all are marked', () => {
		const both = withDeletedToggled(withDeletedToggled(nothing, [ada]), [ada, bob])
		expect([...both.rows.values()].map(row => row.isDeleted)).toEqual([true, true])
		expect(withDeletedToggled(both, [ada, bob])).toEqual(nothing)
	})

	test('of a volatile column are not compared after a conflict', () => {
		const staged = withCells(nothing, [titled(ada, 'X'), { row: ada, column: year, before: 1815, after: 1816 }])
		const compared = comparedCells(staged.rows.get('ada'), [title, { ...year, isVolatile: true }])
		expect(compared.map(([name]) => name)).toEqual(['title'])
	})

	test('of the other client are named beside the compared cells, unless the value is cut and has the same beginning', () => {
		const [list, note, big] = ['lines.count', 'note', 'big'].map(name => ({ ...title, name })) as [
			Column,
			Column,
			Column,
		]
		const columns = [title, year, list, note, big]
		const whole = `${'x'.repeat(20)}y`
		const cells: Cell[] = ['A', 1815, { json: '[1]' }, { text: 'x'.repeat(20), cutFrom: 21 }, { unread: true }]
		const lines = { row: ada, column: { name: 'lines' }, before: { json: '[]' }, after: { json: '[{}]' } }
		const mine = withCells(nothing, [titled(ada, 'X'), lines]).rows.get('ada')
		const theirs = (values: Readonly<Record<string, Cell>>) => (name: string) => values[name] ?? 'other'
		const shown = { row: { ...ada, cells }, columns }
		expect(otherChanges(shown, mine, theirs({ year: 1816, note: whole }))).toEqual([
			{ name: 'year', before: 1815, after: 1816 },
		])
		const changed = otherChanges(shown, mine, theirs({ year: 1815, note: whole.replace('x', 'z') }))
		expect(changed.map(({ name }) => name)).toEqual(['note'])
	})

	test('refer to the newer version after a conflict, without values that are already there', () => {
		const mine = withCells(nothing, [titled(ada, 'M'), { row: ada, column: year, before: 1815, after: 1816 }])
		const theirs = { version: '2', cell: (name: string) => (name === 'title' ? 'T' : 1816) }
		const kept = { cells: new Set(['title', 'year']), isDeleted: false }
		expect(changesOf(rebased(mine, 'ada', { theirs, kept }))).toEqual([
			{ kind: 'update', rowId: 'ada', version: '2', set: { title: 'M' } },
		])
		expect(rebased(mine, 'ada', { theirs, kept: { ...kept, cells: new Set() } })).toEqual(nothing)
	})

	test('are removed after they were applied; others stay with their reason', () => {
		const staged = withInserts(withCells(nothing, [titled(ada, 'X'), titled(bob, 'Y')]), [{ id: 'new 7', values: {} }])
		const result = settled(staged, [
			{ status: 'applied', version: '2' },
			{ status: 'conflict', message: 'It is at 5.' },
		])
		expect([...result.rows]).toMatchObject([['ada', { version: '2' }]])
		expect([...result.staged.rows.keys()]).toEqual(['bob'])
		expect([result.inserted, result.staged.inserts.length]).toEqual([0, 1])
		expect(result.faults.get('bob')).toEqual({
			message: 'Changed by another client since it was read. It is at 5.',
			isConflict: true,
		})
		expect(result.faults.get('new 7')?.message).toBe('Not sent.')
	})

	test('with an unknown outcome stay staged, and are reported as unknown', () => {
		const result = settled(withCells(nothing, [titled(ada, 'X')]), [{ status: 'unknown', message: 'Gone.' }])
		expect(countOf(result.staged)).toBe(1)
		expect(result.faults.get('ada')?.message).toMatch(/may or may not have been saved. Gone\./)
	})
})

describe('undo and redo', () => {
	const edits = () => createRoot(createEdits)

	test('step through changes, and a new change removes the redo steps', () => {
		const all = edits()
		all.setCells([titled(ada, 'X')])
		all.toggleDeleted([bob])
		all.undo()
		all.undo()
		expect([all.count(), all.canUndo(), all.canRedo()]).toEqual([0, false, true])
		all.redo()
		expect(all.get('ada')?.cells.get('title')?.after).toBe('X')
		all.insert({ title: 'new' })
		expect([all.count(), all.canRedo()]).toEqual([2, false])
		all.redo()
		expect(all.count()).toBe(2)
	})

	test('stop at a save, and can restore discarded changes', () => {
		const all = edits()
		all.setCells([titled(ada, 'X')])
		all.discard()
		all.undo()
		expect(all.count()).toBe(1)
		all.settle([{ status: 'applied' }])
		expect([all.count(), all.canUndo(), all.canRedo()]).toEqual([0, false, false])
	})

	test('are over when undone changes are discarded', () => {
		const all = edits()
		all.setCells([titled(ada, 'X')])
		all.undo()
		expect(all.canRedo()).toBe(true)
		all.discard()
		expect([all.count(), all.canRedo()]).toEqual([0, false])
	})

	test('go on after a failed save, without what was saved', () => {
		const all = edits()
		all.setCells([titled(ada, 'X')])
		all.setCells([titled(bob, 'Y')])
		all.settle([{ status: 'applied' }, { status: 'failed', message: 'No.' }])
		expect([all.count(), all.canUndo()]).toEqual([1, true])
		all.undo()
		expect([all.count(), all.canUndo(), all.faults().size]).toEqual([0, false, 0])
	})

	test('an earlier change comes back beside later ones, and against the version of an own save', () => {
		const all = edits()
		const row = { ...ada, version: '1' }
		all.setCells([titled(row, 'X'), { row, column: year, before: 1815, after: 1816 }])
		const discarded = all.staged()
		all.discard()
		all.setCells([titled(row, 'Z'), titled(bob, 'Y')])
		expect(all.bringBack(discarded)).toBe(1)
		expect([all.count(), all.get('ada')?.cells.get('title')?.after]).toEqual([3, 'Z'])
		all.settle([{ status: 'applied', version: '2' }, { status: 'applied' }])
		expect(all.bringBack(withCells(nothing, [titled(row, 'W')]))).toBe(1)
		expect(all.count()).toBe(0)
		const back = { row, column: title, before: 'Z', after: 'A' }
		expect(all.bringBack(withCells(nothing, [back]))).toBe(0)
		expect(all.changes()).toEqual([{ kind: 'update', rowId: 'ada', version: '2', set: { title: 'A' } }])
	})

	test('a fault is removed when its row is changed again, and other faults stay', () => {
		const all = edits()
		all.setCells([titled(ada, 'X'), titled(bob, 'Y')])
		all.settle([
			{ status: 'failed', message: 'No.' },
			{ status: 'failed', message: 'No.' },
		])
		all.setCells([titled(ada, 'Z')])
		expect([all.faultOf('ada'), all.faultOf('bob')?.message]).toEqual([undefined, 'No.'])
	})

	test('dropping a row without changes is not a step', () => {
		const all = edits()
		all.rebase('ada', { version: '2', cell: () => null }, { cells: new Set(), isDeleted: false })
		expect(all.canUndo()).toBe(false)
	})
})

describe('changes that are staged during a save', () => {
	/** Stages and sends changes, then acts meanwhile, and then applies the outcomes. */
	async function sent(before: (edits: Edits) => void, meanwhile: (edits: Edits) => void, outcomes: ChangeOutcome[]) {
		const answer = Promise.withResolvers<readonly ChangeOutcome[]>()
		const edits = createRoot(() => createEdits())
		before(edits)
		const sending = edits.send(() => answer.promise)
		meanwhile(edits)
		answer.resolve(outcomes)
		return { edits, settled: await sending }
	}
	const applied = { status: 'applied', version: '2' } as const

	test('stay, against the version of the save, without its fault', async () => {
		const { edits, settled } = await sent(
			edits => edits.setCells([titled(ada, 'X')]),
			edits =>
				edits.setCells([titled(ada, 'XY'), { row: ada, column: year, before: 1815, after: 1816 }, titled(bob, 'Y')]),
			[applied],
		)
		expect(edits.changes()).toEqual([
			{ kind: 'update', rowId: 'ada', version: '2', set: { title: 'XY', year: 1816 } },
			{ kind: 'update', rowId: 'bob', set: { title: 'Y' } },
		])
		expect(edits.get('ada')?.cells.get('title')).toEqual({ before: 'X', after: 'XY' })
		expect([[...settled.rows.keys()], edits.faults().size]).toEqual([['ada'], 0])
	})

	test('and undone do not give the outcome to another row', async () => {
		const { edits, settled } = await sent(
			edits => edits.setCells([titled(ada, 'X'), titled(bob, 'Y')]),
			edits => edits.setCells([{ ...titled(ada, 'A'), before: 'X' }]),
			[applied, { status: 'failed', message: 'Refused.' }],
		)
		expect(edits.changes()).toEqual([{ kind: 'update', rowId: 'bob', set: { title: 'Y' } }])
		expect(edits.faultOf('bob')?.message).toBe('Refused.')
		expect([...settled.rows.keys()]).toEqual(['ada'])
	})

	test('of new rows: saved ones are removed, whatever other rows came or went', async () => {
		const { edits, settled } = await sent(
			edits => {
				edits.insert({ title: 'one' })
				edits.insert({ title: 'two' })
			},
			edits => {
				edits.toggleDeleted([{ id: edits.inserts()[0]?.id ?? '', cells: [] }])
				edits.insert({ title: 'three' })
			},
			[applied, { status: 'failed', message: 'Refused.' }],
		)
		expect([edits.inserts().map(({ values }) => values.title), settled.inserted]).toEqual([['two', 'three'], 1])
		expect([...edits.faults().values()].map(({ message }) => message)).toEqual(['Refused.'])
	})
})

test('a removed new row accepts no more values, and is not sent', () => {
	const edits = createRoot(() => createEdits())
	edits.insert({ title: 'one' })
	const [insert] = edits.inserts()
	edits.undo()
	edits.setCells([{ row: { id: insert?.id ?? '' }, column: title, before: 'one', after: 'two' }])
	edits.toggleDeleted([{ id: insert?.id ?? '', cells: [] }])
	expect(edits.changes()).toEqual([])
})
