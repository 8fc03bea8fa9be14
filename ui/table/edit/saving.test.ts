import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Change, ChangeOutcome, Column, HostMethod, Row } from '../../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../../api/client.ts'
import type { Rows } from '../rows/rows.ts'
import { createEdits } from './edits.ts'
import type { Recreations } from './recreation.ts'
import { createSaving } from './saving.ts'
import { withDeletedToggled } from './staged.ts'

const name: Column = { name: 'name', type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true }
const rowOf = (id: number): Row => ({ id: String(id), version: '1', cells: [`name ${id}`] })

type Apply = (changes: readonly Change[], call: number, signal?: AbortSignal) => Promise<readonly ChangeOutcome[]>

/** A table with changed rows, and a host that applies changes as the test defines. */
function savingWith(
	count: number,
	apply: Apply,
	{
		release = async () => {},
		columns = [name.name],
		isAtomic = false,
		readDeleted = async (_: readonly string[], _signal: AbortSignal): Promise<Recreations> => new Map(),
	} = {},
) {
	const sent: (readonly Change[])[] = []
	let shown = Array.from({ length: count }, (_, id) => rowOf(id))
	let reloads = 0
	const messages: { readonly text: string; readonly undo: (() => void) | undefined }[] = []
	const host = {
		async call(method: HostMethod, { changes }: { readonly changes: readonly Change[] }, { signal }: CallOptions = {}) {
			if (method === 'changes.preview') return { requests: changes.map(change => `${change.kind} it`), review: 'shown' }
			sent.push(changes)
			return apply(changes, sent.length, signal)
		},
	}
	const rows: Pick<Rows, 'patch'> = {
		patch: change => {
			shown = shown.map(
				row =>
					change(
						row,
						columns.map(title => ({ ...name, name: title })),
					) ?? row,
			)
		},
	}
	return createRoot(dispose => {
		const edits = createEdits()
		edits.setCells(shown.map(row => ({ row, column: name, before: row.cells[0] ?? null, after: 'new' })))
		const saving = createSaving({
			// Saving calls only these two methods.
			host: host as unknown as HostConnection,
			target: { connection: 'c', table: 't' },
			safeMode: () => 'free',
			isAtomic,
			rowNoun: { one: 'account', many: 'accounts' },
			rows,
			edits,
			runExclusive: work => work().finally(release),
			readDeleted,
			isSorted: () => false,
			reload: () => reloads++,
			onSaved: () => {},
			showFault: (rowId, { column }) => `Account ${rowId}, ${column}`,
			say: (text, undo) => {
				messages.push({ text, undo })
				return () => {}
			},
		})
		return { saving, edits, sent, messages, shown: () => shown, reloads: () => reloads, dispose }
	})
}
const applied = async (changes: readonly Change[]) => changes.map(() => ({ status: 'applied', version: '2' }) as const)

test('changes are sent only after a preview, and saved values appear immediately with their new version', async () => {
	const { saving, edits, sent, messages, shown, reloads } = savingWith(2, applied)
	await saving.review()
	expect([saving.preview(), sent.length]).toEqual([['update it', 'update it'], 0])
	await saving.save()
	expect(shown()).toEqual([0, 1].map(id => ({ id: String(id), version: '2', cells: ['new'] })))
	expect([edits.count(), saving.preview(), reloads()]).toEqual([0, undefined, 0])
	expect([messages.map(({ text }) => text), saving.error()]).toEqual([['Saved 2 accounts.'], undefined])
})

test('a saved list of objects appears in the columns of its fields, and a removed object in none', async () => {
	const { saving, edits, shown } = savingWith(1, applied, { columns: ['lines.count', 'author.name'] })
	edits.discard()
	const [row] = shown()
	if (!row) throw new Error('no row')
	const missing = { missing: true } as const
	edits.setCells([
		{ row, column: { name: 'lines' }, before: missing, after: { json: '[{"count":7},{},{"count":1.10}]' } },
		{ row, column: { name: 'author' }, before: { json: '{"name":"A"}' }, after: missing },
	])
	await saving.save()
	expect(shown()[0]?.cells).toEqual([{ json: '[7,null,1.10]' }, missing])
})

test('changes that are being saved are not sent again, also if their review was closed', async () => {
	const answer = Promise.withResolvers<void>()
	const { saving, edits, sent, messages } = savingWith(2, async changes => {
		await answer.promise
		return applied(changes)
	})
	await saving.review()
	const saved = saving.save()
	expect([saving.preview()?.length, saving.isSaving()]).toEqual([2, true])
	saving.close()
	expect([saving.preview(), saving.isSaving()]).toEqual([undefined, true])
	await saving.review()
	const again = saving.save()
	answer.resolve()
	await Promise.all([saved, again])
	expect([sent.length, edits.count(), saving.isSaving()]).toEqual([1, 0, false])
	expect(messages.map(({ text }) => text)).toEqual(['Saved 2 accounts.'])
})

/** What a driver answers once its call is cancelled. */
const onCancel = (answer: (changes: readonly Change[]) => readonly ChangeOutcome[]): Apply => {
	return async (changes, _, signal) => {
		await new Promise(resolve => signal?.addEventListener('abort', resolve))
		return answer(changes)
	}
}

test('a cancelled save waits for its outcome, keeps what was not saved, and can be repeated', async () => {
	const stopped = Promise.withResolvers<void>()
	const { saving, edits, sent } = savingWith(2, async (changes, call, signal) => {
		if (call > 1) return applied(changes)
		await new Promise(resolve => signal?.addEventListener('abort', resolve))
		await stopped.promise
		return changes.map(() => ({ status: 'not_sent' }))
	})
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	expect([saving.canCancel(), saving.isCancelling()]).toEqual([true, false])
	saving.cancel()
	expect([saving.canCancel(), saving.isCancelling(), saving.isSaving()]).toEqual([false, true, true])
	await saving.save()
	await saving.review()
	expect([sent.length, saving.preview()]).toEqual([1, undefined])
	stopped.resolve()
	await saved
	expect([edits.count(), saving.isSaving(), saving.isCancelling()]).toEqual([2, false, false])
	expect(saving.error()).toBe('Nothing was saved. The save was cancelled.')
	await saving.save()
	expect([edits.count(), saving.error()]).toEqual([0, undefined])
})

test('an undo that is cancelled stays an undo, and can be staged again after a discard', async () => {
	const answers: Apply[] = [applied, onCancel(changes => changes.map(() => ({ status: 'not_sent' }))), applied]
	const { saving, edits, messages } = savingWith(
		2,
		async (changes, call, signal) => (await answers[call - 1]?.(changes, call, signal)) ?? [],
	)
	await saving.save()
	saving.undoSave()
	const undone = saving.save()
	await expect.poll(saving.canCancel).toBe(true)
	saving.cancel()
	await undone
	edits.discard()
	while (edits.canUndo()) edits.undo()
	edits.discard()
	expect(edits.count()).toBe(0)
	saving.undoSave()
	await saving.save()
	expect(messages.at(-1)?.text).toBe('Undid the changes of 2 accounts.')
})

test('a cancel also ends the reads for an undo of deletions, and nothing is sent', async () => {
	const { saving, edits, sent, shown } = savingWith(1, applied, {
		readDeleted: (_, signal) =>
			new Promise(resolve => signal.addEventListener('abort', () => resolve(new Map()), { once: true })),
	})
	edits.discard()
	edits.toggleDeleted(shown())
	const deleted = saving.save()
	saving.cancel()
	await deleted
	expect([sent.length, edits.count(), saving.error()]).toEqual([0, 1, 'Nothing was saved. The save was cancelled.'])
})

test('changes that are undone while their save is cancelled stay undone', async () => {
	const { saving, edits, sent } = savingWith(
		1,
		onCancel(changes => changes.map(() => ({ status: 'not_sent' }))),
	)
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	saving.cancel()
	edits.undo()
	await saved
	expect([edits.count(), edits.faults().size, saving.error()]).toEqual([0, 0, undefined])
})

test('a view that is closed while its save is cancelled leaves the changes staged and ready for another save', async () => {
	const { saving, edits, sent, dispose } = savingWith(
		2,
		onCancel(changes => changes.map(() => ({ status: 'not_sent' }))),
	)
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	dispose()
	expect(edits.isSending()).toBe(true)
	saving.cancel()
	await saved
	expect([edits.count(), edits.isSending()]).toEqual([2, false])
})

test('a save that is done in spite of its cancellation counts as saved, and later parts are not sent', async () => {
	const { saving, edits, sent, messages } = savingWith(
		1500,
		onCancel(changes => changes.map(() => ({ status: 'applied', version: '2' }))),
	)
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	saving.cancel()
	await saved
	expect([sent.length, edits.count(), messages.map(({ text }) => text)]).toEqual([1, 500, ['Saved 1,000 accounts.']])
	expect(saving.error()).toBe('Saved 1,000 of 1,500. The save was cancelled.')
})

test('a cancelled save without an answer may have been made, and says so', async () => {
	const { saving, edits, sent } = savingWith(
		1,
		onCancel(() => {
			throw new Error('The driver has not stopped it.')
		}),
	)
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	saving.cancel()
	await saved
	expect(edits.count()).toBe(1)
	expect(saving.error()).toMatch(/This change may or may not have been saved\. The driver has not stopped it\./)
})

test('new and deleted rows are reloaded', async () => {
	const { saving, edits, reloads } = savingWith(1, applied)
	edits.discard()
	edits.insert({ name: 'x' })
	await saving.save()
	expect(reloads()).toBe(1)
	edits.toggleDeleted([rowOf(0)])
	await saving.save()
	expect(reloads()).toBe(2)
})

test('thousands of changes are saved in batches, with progress', async () => {
	const seen: (number | undefined)[] = []
	const all: { saving?: ReturnType<typeof createSaving> } = {}
	const { saving, sent } = savingWith(2500, async changes => {
		seen.push(all.saving?.sent())
		return applied(changes)
	})
	all.saving = saving
	await saving.save()
	expect(sent.map(changes => changes.length)).toEqual([1000, 1000, 500])
	expect([seen, saving.sent()]).toEqual([[0, 1000, 2000], undefined])
})

test('if the response to a batch is lost, its outcome is unknown, its changes stay staged, and saving stops', async () => {
	const { saving, edits, sent } = savingWith(2500, async (changes, call) => {
		if (call === 2) throw new Error('The driver was lost.')
		return applied(changes)
	})
	await saving.save()
	expect(sent).toHaveLength(2)
	expect(edits.count()).toBe(1500)
	expect(edits.faultOf('1000')?.message).toMatch(/may or may not have been saved. The driver was lost\./)
	expect(edits.faultOf('2400')?.message).toBe('Not sent.')
	expect(saving.error()).toMatch(/^Saved 1,000 of 2,500\. /)
})

test('surplus outcomes of a driver do not mark other changes as saved', async () => {
	const { saving, edits, sent } = savingWith(1500, async (changes, call) =>
		call === 1
			? [...(await applied(changes)), { status: 'applied' }]
			: changes.map(() => ({ status: 'failed', message: 'no' })),
	)
	await saving.save()
	expect([edits.count(), sent.length]).toEqual([1500, 1])
})

test('an error names the row and the column, unless the whole save failed at its end', async () => {
	const outcomes: (readonly ChangeOutcome[])[] = [
		[{ status: 'not_sent' }, { status: 'failed', message: 'Not a date.', column: 'born' }],
		Array.from({ length: 2 }, () => ({ status: 'failed', message: 'Rolled back.' })),
	]
	const { saving, edits } = savingWith(2, async () => outcomes.shift() ?? [], { isAtomic: true })
	await saving.save()
	expect(saving.error()).toBe('Nothing was saved. Account 1, born: Not a date.')
	expect([edits.faultOf('1')?.column, edits.faultOf('0')?.column]).toEqual(['born', undefined])
	await saving.save()
	expect(saving.error()).toBe('Nothing was saved. Rolled back.')
})

test('a failure of the whole save changes nothing, has a reason, and can be retried', async () => {
	let isDown = true
	const { saving, edits, messages } = savingWith(3, async changes => {
		if (isDown) throw new Error('The engine is down.')
		return applied(changes)
	})
	await saving.review()
	await saving.save()
	expect(saving.error()).toBe('The engine is down.')
	expect([edits.count(), saving.isSaving(), saving.preview()?.length]).toEqual([3, false, 3])
	isDown = false
	await saving.save()
	expect([edits.count(), messages.map(({ text }) => text)]).toEqual([0, ['Saved 3 accounts.']])
})

test("the message appears after the save has ended, so the user's undo is not ignored", async () => {
	const released = Promise.withResolvers<void>()
	const { saving, messages, sent } = savingWith(1, applied, { release: () => released.promise })
	const saved = saving.save()
	await expect.poll(() => sent.length).toBe(1)
	await new Promise(resolve => setImmediate(resolve))
	expect(messages).toEqual([])
	released.resolve()
	await expect.poll(() => messages.length).toBe(1)
	messages[0]?.undo?.()
	await saved
	await expect.poll(() => sent.length).toBe(2)
})

test('an undo of a saved change uses the new row version, and is sent immediately if no other change is staged', async () => {
	const { saving, edits, sent, messages, shown } = savingWith(1, applied)
	await saving.save()
	messages[0]?.undo?.()
	await expect.poll(() => messages.length).toBe(2)
	expect(sent[1]).toEqual([{ kind: 'update', rowId: '0', version: '2', set: { name: 'name 0' } }])
	expect([shown()[0]?.cells, edits.count()]).toEqual([['name 0'], 0])
	edits.toggleDeleted([rowOf(1)])
	messages[1]?.undo?.()
	expect([sent.length, edits.get('0')?.cells.get('name')?.after, edits.count()]).toEqual([2, 'new', 2])
})

test('an undo of saved new rows is their deletion, if the driver gave their ids, and it is reviewed first', async () => {
	const ids = ['a', 'b']
	const insert = async (changes: readonly Change[]) =>
		changes.map(
			change =>
				({ status: 'applied', version: '1', ...(change.kind === 'insert' && { rowId: ids.shift() }) }) as ChangeOutcome,
		)
	const { saving, edits, sent, messages } = savingWith(0, insert)
	edits.insert({ name: 'one' })
	edits.insert({ name: 'two' })
	await saving.save()
	messages[0]?.undo?.()
	await expect.poll(saving.preview).toEqual(['delete it', 'delete it'])
	await saving.save()
	expect(sent[1]).toEqual(['a', 'b'].map(rowId => ({ kind: 'delete', rowId, version: '1' })))
	edits.insert({ name: 'three' })
	await saving.save()
	expect(messages.map(({ text, undo }) => [text, undo !== undefined])).toEqual([
		['Saved 2 accounts.', true],
		['Deleted 2 accounts. There is no undo: one of these accounts cannot be inserted again as it was.', false],
		['Saved 1 account.', false],
	])
})

test('a deleted row and a truncated value cannot be restored, so no undo is offered', async () => {
	const { saving, edits, messages } = savingWith(1, applied)
	edits.toggleDeleted([rowOf(0)])
	await saving.save()
	const before = { json: '[1...', cutFrom: 20_000 }
	edits.setCells([{ row: rowOf(1), column: name, before, after: 'x' }])
	await saving.save()
	expect(messages.map(({ undo }) => undo)).toEqual([undefined, undefined])
})

test('a change that another window stages during a review is shown before it can be sent', async () => {
	const { saving, edits, sent } = savingWith(1, applied)
	await saving.review()
	edits.take(withDeletedToggled(edits.staged(), [rowOf(7)]))
	await saving.save()
	expect(sent).toEqual([])
	await expect.poll(() => saving.preview()).toEqual(['update it', 'delete it'])
	await saving.save()
	expect([sent[0]?.length, edits.count()]).toEqual([2, 0])
})

test('a change that another window stages while the first review is made is part of it', async () => {
	const { saving, edits } = savingWith(1, applied)
	const reviewed = saving.review()
	edits.take(withDeletedToggled(edits.staged(), [rowOf(7)]))
	await reviewed
	await expect.poll(() => saving.preview()).toEqual(['update it', 'delete it'])
})

test('a save that failed in part says what it has saved, with an undo', async () => {
	const { saving, edits, messages } = savingWith(2, async changes =>
		changes.map(({ kind }) =>
			kind === 'delete' ? { status: 'conflict', message: 'It was changed.' } : { status: 'applied', rowId: '0' },
		),
	)
	edits.toggleDeleted([rowOf(1)])
	await saving.save()
	expect([edits.count(), saving.error()]).toEqual([1, expect.stringMatching(/^Saved 1 of 2\. .*It was changed\.$/)])
	expect(messages.map(({ text, undo }) => [text, undo !== undefined])).toEqual([['Saved 1 account.', true]])
})

test('the key for undo stages what reverts the last save, and does not write', async () => {
	const { saving, edits, sent } = savingWith(1, async () => [{ status: 'applied', rowId: '0', version: '2' }])
	expect(saving.canUndoSave()).toBe(false)
	await saving.save()
	expect([saving.canUndoSave(), edits.canUndo()]).toEqual([true, false])
	saving.undoSave()
	expect([edits.count(), sent.length, saving.canUndoSave()]).toEqual([1, 1, false])
	expect(edits.changes()).toEqual([{ kind: 'update', rowId: '0', version: '2', set: { name: 'name 0' } }])
	edits.undo()
	expect(edits.count()).toBe(0)
})

test('the key for undo goes back through the saves', async () => {
	let version = 1
	const { saving, edits, sent } = savingWith(1, async changes =>
		changes.map(change => ({
			status: 'applied',
			rowId: 'rowId' in change ? change.rowId : '',
			version: String(++version),
		})),
	)
	await saving.save()
	edits.setCells([{ row: { ...rowOf(0), version: '2' }, column: name, before: 'new', after: 'newer' }])
	await saving.save()
	for (const value of ['new', 'name 0']) {
		expect(saving.canUndoSave()).toBe(true)
		saving.undoSave()
		await saving.save()
		expect(sent.at(-1)).toMatchObject([{ set: { name: value } }])
	}
	expect(saving.canUndoSave()).toBe(false)
})
