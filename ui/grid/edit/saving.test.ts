import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Change, ChangeOutcome, Column, HostMethod, Row } from '../../../host/ui-server/api.ts'
import type { HostConnection } from '../../api/client.ts'
import type { Rows } from '../rows/rows.ts'
import { createEdits } from './edits.ts'
import { createSaving } from './saving.ts'

const name: Column = { name: 'name', type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true }
const rowOf = (id: number): Row => ({ id: String(id), version: '1', cells: [`name ${id}`] })

type Apply = (changes: readonly Change[], call: number) => Promise<readonly ChangeOutcome[]>

/** A table of so many rows, all of them changed, and a host that applies the changes as the test says. */
function changed(count: number, apply: Apply) {
	const sent: (readonly Change[])[] = []
	let shown = Array.from({ length: count }, (_, id) => rowOf(id))
	let reloads = 0
	const host = {
		async call(method: HostMethod, { changes }: { readonly changes: readonly Change[] }) {
			if (method === 'changes.preview') return changes.map(change => `${change.kind} it`)
			sent.push(changes)
			return apply(changes, sent.length)
		},
	}
	const rows: Pick<Rows, 'patch'> = {
		patch: change => {
			shown = shown.map(row => change(row, [name]) ?? row)
		},
	}
	return createRoot(() => {
		const edits = createEdits()
		edits.setCells(shown.map(row => ({ row, column: name, before: row.cells[0] ?? null, after: 'new' })))
		const saving = createSaving({
			// Saving asks two methods, and those are here.
			host: host as unknown as HostConnection,
			target: { connection: 'c', table: 't' },
			rowNoun: { one: 'account', many: 'accounts' },
			rows,
			edits,
			reload: () => reloads++,
		})
		return { saving, edits, sent, shown: () => shown, reloads: () => reloads }
	})
}
const applied = async (changes: readonly Change[]) => changes.map(() => ({ status: 'applied', version: '2' }) as const)

test('nothing is sent before it was shown, and what is saved shows at once with its new version', async () => {
	const { saving, edits, sent, shown, reloads } = changed(2, applied)
	await saving.review()
	expect([saving.preview(), sent.length]).toEqual([['update it', 'update it'], 0])
	await saving.save()
	expect(shown()).toEqual([0, 1].map(id => ({ id: String(id), version: '2', cells: ['new'] })))
	expect([edits.count(), saving.preview(), reloads()]).toEqual([0, undefined, 0])
	expect(saving.message()).toEqual({ kind: 'info', text: 'Saved 2 accounts.' })
})

test('what is on its way is neither put away nor sent again', async () => {
	const answer = Promise.withResolvers<void>()
	const { saving, edits, sent } = changed(2, async changes => {
		await answer.promise
		return applied(changes)
	})
	await saving.review()
	const saved = saving.save()
	saving.cancel()
	expect([saving.preview()?.length, saving.isSaving()]).toEqual([2, true])
	await saving.review()
	const again = saving.save()
	answer.resolve()
	await Promise.all([saved, again])
	expect([sent.length, edits.count(), saving.isSaving()]).toEqual([1, 0, false])
	expect(saving.message()).toEqual({ kind: 'info', text: 'Saved 2 accounts.' })
})

test('rows that came or went are read again', async () => {
	const { saving, edits, reloads } = changed(1, applied)
	edits.discard()
	edits.insert({ name: 'x' })
	await saving.save()
	expect(reloads()).toBe(1)
	edits.toggleDeleted([rowOf(0)])
	await saving.save()
	expect(reloads()).toBe(2)
})

test('thousands go part by part, telling how far it is', async () => {
	const seen: (number | undefined)[] = []
	const all: { saving?: ReturnType<typeof createSaving> } = {}
	const { saving, sent } = changed(2500, async changes => {
		seen.push(all.saving?.sent())
		return applied(changes)
	})
	all.saving = saving
	await saving.save()
	expect(sent.map(changes => changes.length)).toEqual([1000, 1000, 500])
	expect([seen, saving.sent()]).toEqual([[0, 1000, 2000], undefined])
})

test('of a part whose answer did not come nothing is known, none follows it, and what is unknown stays staged', async () => {
	const { saving, edits, sent } = changed(2500, async (changes, call) => {
		if (call === 2) throw new Error('The driver was lost.')
		return applied(changes)
	})
	await saving.save()
	expect(sent).toHaveLength(2)
	expect(edits.count()).toBe(1500)
	expect(edits.faultOf('1000')?.message).toMatch(/not known whether this was saved. The driver was lost\./)
	expect(edits.faultOf('2400')?.message).toBe('Not sent.')
	expect(saving.message()).toMatchObject({ kind: 'error', text: expect.stringMatching(/^Saved 1,000 of 2,500\. /) })
})

test('a driver that answers for more changes than were sent has none of the others taken for saved', async () => {
	const { saving, edits, sent } = changed(1500, async (changes, call) =>
		call === 1
			? [...(await applied(changes)), { status: 'applied' }]
			: changes.map(() => ({ status: 'failed', message: 'no' })),
	)
	await saving.save()
	expect([edits.count(), sent.length]).toEqual([1500, 1])
})

test('a failure of the whole leaves all as it was, with the reason, and can be tried again', async () => {
	let isDown = true
	const { saving, edits } = changed(3, async changes => {
		if (isDown) throw new Error('The engine is down.')
		return applied(changes)
	})
	await saving.review()
	await saving.save()
	expect(saving.message()).toEqual({ kind: 'error', text: 'The engine is down.' })
	expect([edits.count(), saving.isSaving(), saving.preview()?.length]).toEqual([3, false, 3])
	isDown = false
	await saving.save()
	expect([edits.count(), saving.message()?.text]).toEqual([0, 'Saved 3 accounts.'])
})
