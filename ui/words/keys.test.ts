import { expect, test } from 'vitest'
import { isSameKeys, keysText, pressedKeys } from './keys.ts'

const press = (key: string, ...down: readonly ('ctrl' | 'meta' | 'alt' | 'shift')[]) => ({
	key,
	code: 'KeyP',
	ctrlKey: down.includes('ctrl'),
	metaKey: down.includes('meta'),
	altKey: down.includes('alt'),
	shiftKey: down.includes('shift'),
})

test('a pressed key has the same notation as in commands', () => {
	expect(pressedKeys(press('p', 'ctrl'), false)).toBe('Mod+P')
	expect(pressedKeys(press('P', 'ctrl', 'shift'), false)).toBe('Mod+Shift+P')
	expect(pressedKeys(press('F6', 'shift'), false)).toBe('Shift+F6')
	expect(pressedKeys(press('ArrowLeft', 'alt'), false)).toBe('Alt+ArrowLeft')
	expect(pressedKeys(press('t'), false)).toBe('T')
	expect(pressedKeys(press('Control', 'ctrl'), false)).toBeUndefined()
})

test('on a Mac, the Command key counts as Mod', () => {
	expect(pressedKeys(press('p', 'meta'), true)).toBe('Mod+P')
	expect(pressedKeys(press('Tab', 'ctrl'), true)).toBe('Ctrl+Tab')
	expect([isSameKeys('Ctrl+Tab', 'Ctrl+Tab', true), isSameKeys('Ctrl+Tab', 'Mod+Tab', false)]).toEqual([true, true])
	expect([keysText('Mod+Shift+P', true), keysText('Mod+Shift+P', false)]).toEqual(['⌘⇧P', 'Ctrl+Shift+P'])
})

test('a key pressed with Shift is named by the character it types, and a non-Latin letter by the Latin key at the same position', () => {
	expect(pressedKeys(press('?', 'ctrl', 'shift'), false)).toBe('Mod+?')
	expect(pressedKeys(press('π', 'ctrl'), false)).toBe('Mod+P')
})

test('a shortcut in two steps is parsed as two steps', () => {
	expect(keysText('Mod+K ArrowRight', false)).toBe('Ctrl+K Right')
})
