/**
 * Keys as commands write them: `Mod+Shift+P`, or two steps, `Mod+K T`. `Mod` is Ctrl, and on a Mac Cmd. What a key types
 * is written as the key is: `Mod+,`, `F6`, `ArrowLeft`.
 */

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const isMac = typeof navigator !== 'undefined' && /^Mac/.test(navigator.platform)

/** What is pressed, in that writing; `undefined` while only a modifier is down. */
export function pressedKeys(event: Pressed, onMac = isMac): string | undefined {
	if (['Control', 'Shift', 'Alt', 'Meta', 'Dead', 'Process', 'Unidentified'].includes(event.key)) return undefined
	// Whoever writes Greek finds the commands where their Latin letters are.
	const isLatin = event.key.length > 1 || /^[\x21-\x7e]$/.test(event.key)
	const key = isLatin ? event.key : event.code.replace(/^(Key|Digit)/, '')
	const [mod, other] = onMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
	const modifiers = [mod && 'Mod', other && (onMac ? 'Ctrl' : 'Meta'), event.altKey && 'Alt']
	// Of what types a sign, the sign says already that Shift was down; of a letter it does not.
	const hasShift = event.shiftKey && (key.length > 1 || /[a-z]/i.test(key))
	return [...modifiers, hasShift && 'Shift', key.length === 1 ? key.toUpperCase() : key].filter(Boolean).join('+')
}

/** Whether it is those keys: Ctrl is what commands, unless on a Mac. */
export function isSameKeys(written: string, pressed: string, onMac = isMac): boolean {
	return (onMac ? written : written.replaceAll('Ctrl', 'Mod')) === pressed
}

const names: Readonly<Record<string, string>> = {
	ArrowLeft: '←',
	ArrowRight: '→',
	ArrowUp: '↑',
	ArrowDown: '↓',
	Escape: 'Esc',
	' ': 'Space',
}
const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }

/** As a person reads it: `Ctrl+K T`, and on a Mac `⌘K T`. */
export function keysText(keys: string, onMac = isMac): string {
	const step = (text: string) => {
		const parts = text.split('+').map(part => names[part] ?? part)
		return onMac ? parts.map(part => macNames[part] ?? part).join('') : parts.join('+').replace(/^Mod\b/, 'Ctrl')
	}
	return keys.split(' ').map(step).join(' ')
}
