import type { FormField, Manifest } from '@roundhouse/kit/manifest'

/** What a driver may do, in words: the same that the window shows before a download. */

const networkLine = 'Network: the servers of your connections, and what you allow when it asks'

/** All that a driver may use. */
export function mayUse(manifest: Manifest): readonly string[] {
	const { network, memoryMb } = manifest.permissions
	const files = askedFiles(manifest)
	return [
		network === 'none' ? 'No network' : networkLine,
		memoryLine(memoryMb),
		...(files.length > 0 ? files.map(fileLine) : ['Files: its own folder only']),
	]
}

/** What a release may use and the one before might not. */
export function newlyMayUse(before: Manifest, after: Manifest): readonly string[] {
	const { network, memoryMb } = after.permissions
	const known = askedFiles(before)
	const isKnown = ({ key, type, access }: FormField) =>
		known.some(had => had.key === key && had.type === type && (had.access === access || access === 'read'))
	return [
		...(network !== 'none' && before.permissions.network === 'none' ? [networkLine] : []),
		...(memoryMb > before.permissions.memoryMb ? [memoryLine(memoryMb)] : []),
		...askedFiles(after)
			.filter(field => !isKnown(field))
			.map(fileLine),
	]
}

const askedFiles = ({ form }: Manifest) => form.filter(({ access }) => access !== undefined)
const memoryLine = (memoryMb: number) => `Memory: up to ${memoryMb} MB`
const fileLine = ({ label, type, access }: FormField) =>
	`Files: for a connection it ${access === 'read' ? 'reads' : 'reads and changes'} the ${type} you choose as “${label}”`
