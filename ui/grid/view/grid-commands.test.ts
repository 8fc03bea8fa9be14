import { expect, test } from 'vitest'
import { commandOfKey, type GridActs, gridCommands, typedBy } from './grid-commands.ts'

const acts = new Proxy({} as GridActs, { get: () => () => true })
const commands = gridCommands(acts, {
	rowNoun: { one: 'Document', many: 'Documents' },
	exports: [],
	removesFields: true,
	columnNoun: { one: 'field', many: 'fields' },
})

const event = (key: string, held: Partial<KeyboardEvent> = {}) =>
	({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }) as KeyboardEvent
const press = (key: string, held?: Partial<KeyboardEvent>) =>
	commandOfKey(commands, event(key, held))?.id.replace('grid.', '')

test('a key in the command table runs its command', () => {
	expect(['Enter', 'F2', ' ', 'Delete', 'Insert', 'ContextMenu'].map(key => press(key))).toEqual([
		...['edit', 'edit', 'openRow', 'toggleDeleted', 'insert', 'openMenu'],
	])
	expect(press(' ', { shiftKey: true })).toBe('selectRows')
	expect(press('F10', { shiftKey: true })).toBe('openMenu')
	expect(press('Enter', { altKey: true })).toBe('openValue')
	expect(press('Delete', { altKey: true })).toBe('setNull')
})

test('Ctrl and Cmd are the command key on every system', () => {
	for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
		expect(['z', 'y', 's', 'a', 'c', 'd', 'g', ' '].map(key => press(key, held))).toEqual([
			...['undo', 'redo', 'save', 'selectAll', 'copy', 'fillDown', 'goToRow', 'selectColumns'],
		])
		expect(['Z', 'C', 'S'].map(key => press(key, { ...held, shiftKey: true }))).toEqual(['redo', 'copyAs', 'saveNow'])
	}
})

test('reserved keys of the browser run no command', () => {
	expect([press('t', { ctrlKey: true }), press('x', { altKey: true }), press('Escape'), press('F5')]).toEqual([
		...[undefined, undefined, undefined, undefined],
	])
	// The browser sends a paste event.
	expect(press('v', { ctrlKey: true })).toBeUndefined()
})

test('a typed character starts editing with this character', () => {
	expect(typedBy(event('x'))).toBe('x')
	expect([event('x', { ctrlKey: true }), event('F5')].map(typedBy)).toEqual([undefined, undefined])
})

test('no two commands share an id or a key', () => {
	const ids = commands.map(({ id }) => id)
	const keys = commands.flatMap(command => command.keys ?? [])
	expect(new Set(ids).size).toBe(ids.length)
	expect(new Set(keys).size).toBe(keys.length)
})
