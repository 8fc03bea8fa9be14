import { userEvent } from 'vitest/browser'

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

const controlOrMeta = navigator.platform.startsWith('Mac') ? 'Meta' : 'Control'

/** Braces and brackets begin names of keys. */
function escaped(key: string): string {
	if (key === '\n') return '{Enter}'
	if (key === '\t') return '{Tab}'
	if (key === '{' || key === '[') return key + key
	return key.length === 1 ? key : `{${key}}`
}
