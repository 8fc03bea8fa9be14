/** Names of files that a stranger gives, on whatever system: one that could lead elsewhere, or is no name somewhere, has a fault. */

const longest = 120
/** What some file system takes for something else than a letter of a name. */
const signs = /[<>:"|?*\\/]/
const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i

/** What is wrong with one part of a path, as the rest of a sentence about it. */
export function faultOfFileName(name: string): string | undefined {
	if (name === '') return 'is empty'
	if (name.startsWith('.')) return 'begins with a dot'
	if (name.length > longest) return `has more than ${longest} characters`
	if (signs.test(name) || hasControl(name) || !name.isWellFormed())
		return 'holds a character that file systems keep for themselves'
	if (/[. ]$/.test(name) || name.startsWith(' ')) return 'begins or ends with a blank, or ends in a dot'
	if (windowsDevices.test(name)) return 'is what Windows calls a device'
	return undefined
}

/** The same text without what some system does not take in a name. */
export function plainFileName(text: string): string {
	return [...text.trim().toWellFormed()]
		.map(character => (signs.test(character) || hasControl(character) ? '-' : character))
		.join('')
		.replace(/^\.+|\.+$/g, '')
		.trim()
}

function hasControl(text: string): boolean {
	// The upper ones too: a terminal that lists the names may do what they say.
	return /\p{Cc}/u.test(text)
}
