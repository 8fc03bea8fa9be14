import { expect, test } from 'vitest'
import { freeBottom } from './toast-place.ts'

const window = { width: 1000, height: 700 }
const toast = { width: 400, height: 30 }

test('messages stand above the bars at their side, one after the other, and beside others', () => {
	expect(freeBottom(toast, window, [])).toBe(34)
	const saveBar = { left: 200, right: 1000, top: 600, bottom: 640 }
	const status = { left: 200, right: 1000, top: 640, bottom: 668 }
	expect(freeBottom(toast, window, [saveBar, status])).toBe(108)
	const foot = { left: 300, right: 700, top: 520, bottom: 570 }
	expect(freeBottom(toast, window, [foot, saveBar, status])).toBe(188)
	expect(freeBottom(toast, window, [{ left: 0, right: 500, top: 600, bottom: 690 }])).toBe(34)
	expect(freeBottom(toast, window, [{ left: 0, right: 1000, top: 0, bottom: 700 }])).toBe(34)
})
