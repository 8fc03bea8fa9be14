import { expect, test } from 'vitest'
import { headerCommandOf } from './header-keys.ts'

const press = (key: string, held: Partial<Parameters<typeof headerCommandOf>[0]> = {}) =>
	headerCommandOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

test('arrow keys move along the headers, with Alt they move the column, and with Alt and Shift they resize it', () => {
	expect(press('ArrowRight')).toEqual({ do: 'go', by: 1 })
	expect(press('ArrowLeft', { altKey: true })).toEqual({ do: 'move', by: -1 })
	expect(press('ArrowRight', { altKey: true, shiftKey: true })).toEqual({ do: 'resize', by: 20 })
})

test('Enter sorts, with Shift in addition to other columns, and Down returns to the cells', () => {
	expect([press('Enter'), press('Enter', { shiftKey: true })]).toEqual([
		{ do: 'sort', isMulti: false },
		{ do: 'sort', isMulti: true },
	])
	expect([press('ArrowDown'), press('F10', { shiftKey: true }), press('x')]).toEqual([
		{ do: 'leave' },
		{ do: 'openMenu' },
		undefined,
	])
})
