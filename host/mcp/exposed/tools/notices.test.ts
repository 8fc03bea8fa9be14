import { expect, test } from 'vitest'
import { shownNotices } from './notices.ts'

test('notices are on one line each, cut where they are long, and counted beyond twenty', () => {
	expect(shownNotices(['one', 'two\nlines'])).toEqual(['one', 'two lines'])
	const shown = shownNotices(Array.from({ length: 1_000 }, () => 'x'.repeat(100_000)))
	expect(shown).toHaveLength(21)
	expect(shown[0]).toBe(`${'x'.repeat(500)}…`)
	expect(shown.at(-1)).toBe('And 980 more notices.')
})
