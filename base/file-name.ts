/**
 * Checks file names from untrusted sources. A name is rejected if it could point to another folder, or if it is invalid
 * on any supported operating system.
 */

const longest = 120
/** Characters that some file system does not accept as part of a name. */
const signs = /[<>:"|?*\\/]/
const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i

/**
 * Returns what is wrong with one segment of a path, or `undefined` if it is valid. The text completes a sentence that
 * starts with the name.
 */
export function faultOfFileName(name: string): string | undefined {
	if (name === '') return 'is empty'
	if (name.startsWith('.')) return 'begins with a dot'
	if (name.length > longest) return `has more than ${longest} characters`
	if (signs.test(name) || hasControl(name) || !name.isWellFormed())
		return 'contains a character that file systems reserve'
	if (/[. ]$/.test(name) || name.startsWith(' ')) return 'begins or ends with a space, or ends with a dot'
	if (windowsDevices.test(name)) return 'is a device name on Windows'
	return undefined
}

/** Returns the text without characters that some system rejects in a name. */
export function plainFileName(text: string): string {
	return [...text.trim().toWellFormed()]
		.map(character => (signs.test(character) || hasControl(character) ? '-' : character))
		.join('')
		.replace(/^\.+|\.+$/g, '')
		.trim()
}

function hasControl(text: string): boolean {
	// Includes the C1 controls: a terminal that lists the names may interpret them.
	return /\p{Cc}/u.test(text)
}
