import { DriverError } from '@roundhouse/kit'
import type { FormField, Settings, SettingValue } from '@roundhouse/kit/manifest'
import { raced } from '../../base/on-abort.ts'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import { shared } from '../driver-runtime/driver-pool.ts'
import { parseAddresses } from '../network/address.ts'
import { type PastedAddresses, placesIn } from './pasted-addresses.ts'
import type { DriverHost } from './sessions.ts'

/** Includes the start of the process. The user waits with a form that is not filled. */
const limitMs = 3_000

/**
 * Asks an installed driver to read an address that the user pasted. Returns `undefined` if it does not know the text or
 * takes too long. @throws DriverError `internal_failure` if its answer does not fit its form; no message contains a value
 */
export async function readAddress(
	drivers: DriverHost,
	{ id, text }: { readonly id: string; readonly text: string },
): Promise<Settings | undefined> {
	const manifest = drivers.installed().find(manifest => manifest.id === id)
	if (manifest?.pastedAddress.readByDriver === undefined) return undefined
	const late = AbortSignal.timeout(limitMs)
	const release = drivers.lease(id, shared)
	try {
		const driver = await raced(late, drivers.process(id, shared))
		const answer = await raced(late, driver.call('readAddress', { text }, { signal: late }))
		if (answer === null) return undefined
		// The parser's own error would quote the answer.
		const settings = parseJsonOrUndefined(answer)
		const fault = faultOf(manifest.form, settings, text)
		// The form has these fields, with values of their types.
		if (fault === undefined) return settings as Settings
		throw new DriverError(
			'internal_failure',
			`${manifest.displayName} returned an invalid result for the pasted address: ${fault}.`,
		)
	} catch (error) {
		if (late.aborted) return undefined
		throw error
	} finally {
		await release()
	}
}

/** Returns what is wrong with an answer, by the names of its fields. */
function faultOf(form: readonly FormField[], answer: unknown, pasted: string): string | undefined {
	if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'its answer is no object'
	const places = placesIn(pasted)
	for (const [key, value] of Object.entries(answer)) {
		const field = form.find(field => field.key === key)
		if (!field) return 'the form has no such field'
		// A path grants access to a file, so only the user names one.
		if (field.type === 'file' || field.type === 'folder') return `it filled in the ${field.type} “${field.label}”`
		if (!fits(field, value)) return `the value of “${field.label}” has the wrong type`
		if (!isNamed(field, value, places)) return `“${field.label}” is not in the text that was pasted`
	}
	return undefined
}

/**
 * Whether the text names what a value makes reachable. A driver gets the password of its connection, so it must not choose
 * where the password goes.
 */
function isNamed(
	{ addresses, isSocketPath }: FormField,
	value: unknown,
	{ namesHost, namesSocket }: PastedAddresses,
): boolean {
	if (addresses) return parseAddresses(String(value), addresses.defaultPort).every(({ host }) => namesHost(host))
	return !isSocketPath || value === '' || namesSocket(String(value))
}

function fits({ type, options = [] }: FormField, value: SettingValue | unknown): boolean {
	if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
	if (type === 'switch') return typeof value === 'boolean'
	return typeof value === 'string' && (type !== 'select' || options.some(option => option.value === value))
}
