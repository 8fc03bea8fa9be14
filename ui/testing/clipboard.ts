import { onTestFinished, vi } from 'vitest'

/**
 * A clipboard in memory. Tests do not use the real one, because all windows of a browser share it and the browser asks
 * before it is read.
 */
export class FakeClipboard {
	text = ''
	html = ''

	constructor() {
		// A hook of this module would be one of the first file alone: all files share the module.
		onTestFinished(() => {
			vi.restoreAllMocks()
		})
		const { clipboard } = navigator
		vi.spyOn(clipboard, 'readText').mockImplementation(async () => this.text)
		vi.spyOn(clipboard, 'writeText').mockImplementation(async text => {
			this.text = text
			this.html = ''
		})
		vi.spyOn(clipboard, 'write').mockImplementation(async items => {
			const read = async (type: string) => {
				const item = items.find(({ types }) => types.includes(type))
				return item ? (await item.getType(type)).text() : ''
			}
			const [text, html] = await Promise.all([read('text/plain'), read('text/html')])
			this.text = text
			this.html = html
		})
	}

	/** Pastes a text into what has the focus, as the browser does at its key. */
	paste(text = this.text): void {
		this.text = text
		paste(text)
	}
}

/** Pastes a text into what has the focus. */
export function paste(text: string): void {
	const data = new DataTransfer()
	data.setData('text/plain', text)
	const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
	document.activeElement?.dispatchEvent(event)
}
