/** Lets the browser save what is in the window, as the person has set it: at once, or asking where. */
export function saveFile(name: string, type: string, content: string | Uint8Array): void {
	const address = URL.createObjectURL(
		new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }),
	)
	const link = document.createElement('a')
	link.href = address
	link.download = name
	link.click()
	// The browser has taken it by then.
	setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
