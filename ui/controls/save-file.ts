/** Saves data as a download of the browser. */
export function saveFile(name: string, type: string, content: string | Uint8Array): void {
	const address = URL.createObjectURL(
		new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }),
	)
	const link = document.createElement('a')
	link.href = address
	link.download = name
	link.click()
	// The browser has read it by then.
	setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
