import type {} from '@vitest/browser-playwright'
import { cdp, userEvent } from 'vitest/browser'

/** Presses keys at once, written as in Playwright: `ControlOrMeta+Shift+p`, `Enter`, `=`. */
export async function press(chord: string): Promise<void> {
	const keys = chord === '+' ? ['+'] : chord.split(/\+(?=.)/)
	const key = keys.pop() ?? ''
	const modifiers = keys.map(name => (name === 'ControlOrMeta' ? controlOrMeta : name))
	const down = modifiers.map(name => `{${name}>}`).join('')
	const up = modifiers.map(name => `{/${name}}`).join('')
	await userEvent.keyboard(`${down}${escaped(key)}${up}`)
}

/** Types a text into what has the focus. */
export async function type(text: string): Promise<void> {
	await userEvent.keyboard([...text].map(escaped).join(''))
}

const keyCodes: Readonly<Record<string, number>> = {
	Enter: 13,
	Escape: 27,
	Tab: 9,
	ArrowDown: 40,
	Insert: 45,
	Delete: 46,
}
const modifierMasks: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Shift: 8 }

/** Sends all keys before the window has handled the first one, as a fast typist does. `press` waits after each key. */
export async function pressAtOnce(...strokes: readonly string[]): Promise<void> {
	const session = cdp()
	const events = strokes.flatMap(stroke => {
		const [key = '', ...held] = stroke.split('+').toReversed()
		const modifiers = held.reduce((sum, name) => sum | (modifierMasks[name] ?? 0), 0)
		const text = key === 'Enter' ? '\r' : key.length === 1 && modifiers === 0 ? key : undefined
		const code = key.length === 1 ? `Key${key.toUpperCase()}` : key
		const windowsVirtualKeyCode = keyCodes[key] ?? key.toUpperCase().charCodeAt(0)
		const named = { key, code, windowsVirtualKeyCode, modifiers }
		const commands = stroke === 'Control+a' ? ['selectAll'] : []
		return [
			{
				type: text === undefined ? ('rawKeyDown' as const) : ('keyDown' as const),
				...named,
				commands,
				...(text && { text }),
			},
			{ type: 'keyUp' as const, ...named },
		]
	})
	await Promise.all(events.map(event => session.send('Input.dispatchKeyEvent', event)))
}

const controlOrMeta = navigator.platform.startsWith('Mac') ? 'Meta' : 'Control'

/** Braces and brackets begin names of keys. */
function escaped(key: string): string {
	if (key === '\n') return '{Enter}'
	if (key === '\t') return '{Tab}'
	if (key === '{' || key === '[') return key + key
	return key.length === 1 ? key : `{${key}}`
}
