import { expect, test } from 'vitest'
import { commandOfKey, type GridCommand, inMenu, typedBy } from './grid-commands.ts'

const command = (id: string, keys: readonly string[], isNative = false): GridCommand => ({
	id,
	title: id,
	keys,
	isNative,
	run: () => {},
})
const commands = [
	command('edit', ['Enter', 'F2']),
	command('openRow', ['Space']),
	command('openMenu', ['ContextMenu', 'Shift+F10']),
	command('openValue', ['Alt+Enter']),
	command('undo', ['Mod+Z']),
	command('redo', ['Mod+Shift+Z', 'Mod+Y']),
	command('paste', ['Mod+V'], true),
]

const event = (key: string, held: Partial<KeyboardEvent> = {}) =>
	({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }) as KeyboardEvent
const press = (key: string, held?: Partial<KeyboardEvent>) => commandOfKey(commands, event(key, held))?.id

test('a key in the command table runs its command', () => {
	expect(['Enter', 'F2', ' ', 'ContextMenu'].map(key => press(key))).toEqual(['edit', 'edit', 'openRow', 'openMenu'])
	expect(press('F10', { shiftKey: true })).toBe('openMenu')
	expect(press('Enter', { altKey: true })).toBe('openValue')
})

test('Ctrl and Cmd are the command key on every system', () => {
	for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
		expect(['z', 'y'].map(key => press(key, held))).toEqual(['undo', 'redo'])
		expect(press('Z', { ...held, shiftKey: true })).toBe('redo')
	}
})

test('a key of the browser or of no command runs none', () => {
	expect([press('t', { ctrlKey: true }), press('Escape'), press('F5')]).toEqual([undefined, undefined, undefined])
	// The browser sends a paste event.
	expect(press('v', { ctrlKey: true })).toBeUndefined()
})

test('a character is typed, unlike a key with Ctrl or a named key', () => {
	expect(typedBy(event('x'))).toBe('x')
	expect([event('x', { ctrlKey: true }), event('F5')].map(typedBy)).toEqual([undefined, undefined])
})

const entry = (id: string, section: GridCommand['section'], more: Partial<GridCommand> = {}): GridCommand => {
	return { ...command(id, []), ...(section && { section }), ...more }
}
const entries = (section: NonNullable<GridCommand['section']>, count: number, more?: Partial<GridCommand>) =>
	Array.from({ length: count }, (_, at) => entry(`${section}${at}`, section, more))

test('a menu of cells has at most twelve entries, and the rest under one of them', () => {
	const short = [...entries('copy', 6, { isRare: true }), ...entries('filter', 6)]
	expect(inMenu(short, 0).shown.map(({ section }) => section)).toEqual([
		...Array<string>(6).fill('filter'),
		...Array<string>(6).fill('copy'),
	])
	const long = [...entries('filter', 2, { isRare: true }), ...entries('row', 14), ...entries('go', 1)]
	const { shown, more } = inMenu(long, 2)
	expect(shown.map(({ id }) => id)).toEqual(entries('row', 9).map(({ id }) => id))
	expect(more.map(({ id }) => id).slice(0, 3)).toEqual(['filter0', 'filter1', 'row9'])
	expect(shown.length + more.length).toBe(long.length)
})

test('a command that is not available takes no place in the menu', () => {
	expect(inMenu([entry('a', 'row', { isAvailable: () => false }), entry('b', undefined)], 0)).toEqual({
		shown: [],
		more: [],
	})
})
