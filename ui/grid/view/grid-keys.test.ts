import { expect, test } from 'vitest'
import { commandOf } from './grid-keys.ts'

const press = (key: string, held: Partial<Parameters<typeof commandOf>[0]> = {}) =>
	commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }, 20)

test('arrows and their kin move, and extend with Shift', () => {
	expect(press('ArrowDown')).toEqual({ do: 'move', step: { rows: 1, columns: 0 }, isExtending: false })
	expect(press('PageUp', { shiftKey: true })).toEqual({
		do: 'move',
		step: { rows: -20, columns: 0 },
		isExtending: true,
	})
})

test('a character begins an edit with itself, Enter and F2 one with what is there', () => {
	expect(press('x')).toEqual({ do: 'edit', typed: 'x' })
	expect([press('Enter'), press('F2')]).toEqual([{ do: 'edit' }, { do: 'edit' }])
})

test('the command key is the same on every system', () => {
	for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
		expect(['z', 'y', 's', 'a', 'c'].map(key => press(key, held)?.do)).toEqual([
			...['undo', 'redo', 'save', 'selectAll', 'copy'],
		])
		expect(press('Z', { ...held, shiftKey: true })).toEqual({ do: 'redo' })
	}
})

test('keys that are the browser’s or nobody’s stay so', () => {
	expect([press('t', { ctrlKey: true }), press('x', { altKey: true }), press('Escape'), press('F5')]).toEqual([
		...[undefined, undefined, undefined, undefined],
	])
})
