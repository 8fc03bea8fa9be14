import { createRoot, createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import type { Row } from '../../../host/api/api.ts'
import { createSelectedRows } from './selected-rows.ts'

const rowOf = (id: number): Row => ({ id: String(id), cells: [] })

test('later work does not cancel an action whose rows are still loading', async () => {
	const reads: (() => void)[] = []
	const sheet = {
		mostAtOnce: 10_000,
		read: ({ first, last }: { readonly first: number; readonly last: number }) =>
			new Promise<readonly Row[]>(resolve => {
				reads.push(() => resolve(Array.from({ length: last - first + 1 }, (_, index) => rowOf(first + index))))
			}),
	}
	const { selected, dispose } = createRoot(dispose => ({
		selected: createSelectedRows(sheet, () => ({ top: 0, bottom: 1, left: 0, right: 0 })),
		dispose,
	}))
	const done: string[] = []
	const note = (rows: readonly Row[]) => void done.push(rows.map(({ id }) => id).join())
	const first = selected.use('deleted', note)
	const second = selected.use('changed', note, { top: 5, bottom: 5 })
	const all = selected.whenDone().then(() => done.push('all'))
	await expect.poll(() => reads.length).toBe(1)
	reads[0]?.()
	expect(await first).toBe(true)
	await expect.poll(() => reads.length).toBe(2)
	expect(done).toEqual(['0,1'])
	reads[1]?.()
	expect(await second).toBe(true)
	await all
	expect(done).toEqual(['0,1', '5', 'all'])
	dispose()
})

test('an error is shown as long as the same rows are selected', async () => {
	const [selection, setSelection] = createSignal({ top: 0, bottom: 20_000, left: 0, right: 0 })
	const sheet = { mostAtOnce: 10_000, read: () => Promise.reject(new Error('never read')) }
	const selected = createRoot(() => createSelectedRows(sheet, selection))
	await selected.use('changed', () => {})
	expect(selected.said()?.text).toContain('20,001 rows are selected')
	setSelection({ top: 0, bottom: 0, left: 0, right: 0 })
	expect(selected.said()).toBeUndefined()
})
