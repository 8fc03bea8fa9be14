/**
 * The notation of key bindings in commands: one step (`Mod+Shift+P`) or two steps (`Mod+K T`). `Mod` is Ctrl, or Cmd on
 * a Mac. A printable key is written as its character (`Mod+,`), other keys by name (`F6`, `ArrowLeft`). The buttons at
 * the side of a mouse are `MouseBack` and `MouseForward`.
 */

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
	Partial<Pick<KeyboardEvent, 'getModifierState'>>

export const isMac = typeof navigator !== 'undefined' && /^Mac/.test(navigator.platform)

/** Returns the pressed keys in this notation, or `undefined` for a modifier alone and for a character of AltGr. */
export function pressedKeys(event: Pressed, onMac = isMac): string | undefined {
	if (writesByAltGr(event)) return undefined
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
	ArrowLeft: 'Left',
	ArrowRight: 'Right',
	ArrowUp: 'Up',
	ArrowDown: 'Down',
	MouseBack: 'Mouse back',
	MouseForward: 'Mouse forward',
	Escape: 'Esc',
}
const macNames: Readonly<Record<string, string>> = {
	Mod: '⌘',
	Shift: '⇧',
	Alt: '⌥',
	Ctrl: '⌃',
	ArrowLeft: '←',
	ArrowRight: '→',
	ArrowUp: '↑',
	ArrowDown: '↓',
}

/** Formats keys for display: `Ctrl+K T`, or `⌘K T` on a Mac. */
export function keysText(keys: string, onMac = isMac): string {
	const step = (text: string) => {
		const parts = text.split('+').map(part => (onMac && macNames[part]) || (names[part] ?? part))
		return onMac ? parts.join('') : parts.join('+').replace(/^Mod\b/, 'Ctrl')
	}
	return keys.split(' ').map(step).join(' ')
}

/**
 * Whether an input method takes the key, for example the Enter that chooses a word. The code 229 marks it where the event
 * does not say that it composes. The console's editor knows compositions.
 */
export function isOfInputMethod({ isComposing, keyCode, target }: KeyboardEvent): boolean {
	return (isComposing || keyCode === 229) && !(target instanceof Element && target.closest('.cm-editor'))
}

/** Whether the key writes a character with AltGr, which Windows reports as Ctrl and Alt. */
export function writesByAltGr(event: Pick<Pressed, 'key' | 'getModifierState'>): boolean {
	return event.key.length === 1 && event.getModifierState?.('AltGraph') === true
}
