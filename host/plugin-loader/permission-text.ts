import { isDeepStrictEqual } from 'node:util'
import type { FormField, Manifest, ToolManifest } from '@roundhouse/kit/manifest'

/** Describes a driver's permissions to the user, with the same text as in the window before a download. */

const networkLine = 'Network: the servers of your connections, and addresses that you allow when asked'

/** Returns one line for each permission of a driver. */
export function mayUse(manifest: Manifest): readonly string[] {
	const { network, memoryMb } = manifest.permissions
	const files = fileFields(manifest)
	return [
		network === 'none' ? 'No network' : networkLine,
		...socketFields(manifest).map(socketLine),
		memoryLine(memoryMb),
		...(files.length > 0 ? files.map(fileLine) : ['Files: its own folder only']),
	]
}

/**
 * Returns one line for each permission that a release adds: permissions, files, addresses and their defaults, tools
 * that write. The user must confirm an update if the list is not empty.
 */
export function newlyMayUse(before: Manifest, after: Manifest): readonly string[] {
	const { network, memoryMb } = after.permissions
	const known = fileFields(before)
	const isKnown = ({ key, type, access }: FormField) =>
		known.some(had => had.key === key && had.type === type && (had.access === access || access === 'read'))
	return [
		...(network !== 'none' && before.permissions.network === 'none' ? [networkLine] : []),
		...(memoryMb > before.permissions.memoryMb ? [memoryLine(memoryMb)] : []),
		...fileFields(after)
			.filter(field => !isKnown(field))
			.map(fileLine),
		...newTexts(before, after),
		...newAddresses(before, after),
		...newSockets(before, after),
		...newToolAccess(before, after),
	]
}

/**
 * Returns the new fields for files whose text the host reads for the driver. A field that had another type may contain
 * a path that the previous release suggested, and not a file that the user chose.
 */
function newTexts(before: Manifest, after: Manifest): readonly string[] {
	const isText = ({ type, access }: FormField) => type === 'file' && access === undefined
	return after.form
		.filter(field => isText(field) && !before.form.some(had => had.key === field.key && had.type === 'file'))
		.map(({ label }) => `Files: for a connection it gets the text of the file that “${label}” names`)
}

/** Returns changes of fields with addresses that a connection reaches without confirmation, and of their defaults. */
function newAddresses(before: Manifest, after: Manifest): readonly string[] {
	return after.form.flatMap(field => {
		if (!field.addresses) return []
		const had = before.form.find(({ key, addresses }) => key === field.key && addresses !== undefined)
		const suggested = field.default === undefined ? '' : `, initially ${field.default}`
		if (!had) return [`Network: the servers that you enter as “${field.label}”${suggested}`]
		return [
			...(had.default === field.default ? [] : [`Network: “${field.label}” is initially ${field.default ?? 'empty'}`]),
			...(isDeepStrictEqual(had.addresses, field.addresses) ? [] : [portLine(field.label, field.addresses, after)]),
		]
	})
}

/** Returns the new fields with the path of a Unix socket, and those whose suggested path is new. */
function newSockets(before: Manifest, after: Manifest): readonly string[] {
	const known = socketFields(before)
	const isKnown = (field: FormField) => known.some(had => had.key === field.key && had.default === field.default)
	return socketFields(after)
		.filter(field => !isKnown(field))
		.map(socketLine)
}

function portLine(label: string, { defaultPort, portField }: NonNullable<FormField['addresses']>, { form }: Manifest) {
	const port = form.find(({ key }) => key === portField)
	return `Network: the port of “${label}” is ${port ? `the value of “${port.label}”, or by default ` : ''}${defaultPort}`
}

const ranks: readonly ToolManifest['access'][] = ['read', 'write', 'destructive']

/** Returns the tools for AI clients that have more access than before. */
function newToolAccess(before: Manifest, after: Manifest): readonly string[] {
	const rankOf = (tool: ToolManifest | undefined) => (tool ? ranks.indexOf(tool.access) : 0)
	return after.tools
		.filter(tool => rankOf(tool) > rankOf(before.tools.find(({ name }) => name === tool.name)))
		.map(({ name, access }) => `AI clients: the tool “${name}” ${access === 'write' ? 'writes' : 'may destroy data'}`)
}

const socketFields = ({ form }: Manifest) => form.filter(({ isSocketPath }) => isSocketPath === true)
const socketLine = ({ label, default: suggested }: FormField) =>
	`Network: the Unix socket that you enter as “${label}”${suggested === undefined ? '' : `, initially ${suggested}`}`
const fileFields = ({ form }: Manifest) => form.filter(({ access }) => access !== undefined)
const memoryLine = (memoryMb: number) => `Memory: up to ${memoryMb} MB`
const fileLine = ({ label, type, access }: FormField) =>
	`Files: for a connection it ${access === 'read' ? 'reads' : 'reads and changes'} the ${type} you choose as “${label}”`
