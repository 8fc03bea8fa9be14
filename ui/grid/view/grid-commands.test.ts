import { expect, test } from 'vitest'
import { commandOfKey, type GridCommand, typedBy } from './grid-commands.ts'

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
