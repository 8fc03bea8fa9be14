/**
 * The notation of key bindings in commands: one step (`Mod+Shift+P`) or two steps (`Mod+K T`). `Mod` is Ctrl, or Cmd on
 * a Mac. A printable key is written as its character (`Mod+,`), other keys by name (`F6`, `ArrowLeft`). The buttons at
 * the side of a mouse are `MouseBack` and `MouseForward`.
 */

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export const isMac = typeof navigator !== 'undefined' && /^Mac/.test(navigator.platform)

/** Returns the pressed keys in this notation, or `undefined` while only a modifier is down. */
export function pressedKeys(event: Pressed, onMac = isMac): string | undefined {
	if (['Control', 'Shift', 'Alt', 'Meta', 'Dead', 'Process', 'Unidentified'].includes(event.key)) return undefined
	// On a keyboard with a non-Latin script, use the physical position of the Latin letter.
	const isLatin = event.key.length > 1 || /^[\x21-\x7e]$/.test(event.key)
	const key = event.key === ' ' ? 'Space' : isLatin ? event.key : event.code.replace(/^(Key|Digit)/, '')
	const [mod, other] = onMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
	const modifiers = [mod && 'Mod', other && (onMac ? 'Ctrl' : 'Meta'), event.altKey && 'Alt']
	// A punctuation character already includes Shift. For a letter, Shift is written explicitly.
	const hasShift = event.shiftKey && (key.length > 1 || /[a-z]/i.test(key))
	return [...modifiers, hasShift && 'Shift', key.length === 1 ? key.toUpperCase() : key].filter(Boolean).join('+')
}

/** Returns whether a written key binding equals the pressed keys. `Ctrl` matches `Mod` except on a Mac. */
export function isSameKeys(written: string, pressed: string, onMac = isMac): boolean {
	return (onMac ? written : written.replaceAll('Ctrl', 'Mod')) === pressed
}

const names: Readonly<Record<string, string>> = {
	ArrowLeft: '←',
	ArrowRight: '→',
	ArrowUp: '↑',
	ArrowDown: '↓',
	MouseBack: 'Mouse back',
	MouseForward: 'Mouse forward',
	Escape: 'Esc',
}
const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }

/** Formats keys for display: `Ctrl+K T`, or `⌘K T` on a Mac. */
export function keysText(keys: string, onMac = isMac): string {
	const step = (text: string) => {
		const parts = text.split('+').map(part => names[part] ?? part)
		return onMac ? parts.map(part => macNames[part] ?? part).join('') : parts.join('+').replace(/^Mod\b/, 'Ctrl')
	}
	return keys.split(' ').map(step).join(' ')
}
