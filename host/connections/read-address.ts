import { DriverError } from '@roundhouse/kit'
import type { FormField, Settings, SettingValue } from '@roundhouse/kit/manifest'
import { outcomeOrAbort } from '../../base/outcome-or-abort.ts'
import { noGrants } from '../driver-runtime/file-grants.ts'
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
	const release = drivers.lease(id, noGrants)
	try {
		const driver = await outcomeOrAbort(drivers.process(id, noGrants), late)
		const answer = await outcomeOrAbort(driver.call('readAddress', { text }, { signal: late }), late)
		if (answer === null) return undefined
		const fault = faultOf(manifest.form, JSON.parse(answer))
		if (fault === undefined) return JSON.parse(answer)
		throw new DriverError('internal_failure', `${manifest.displayName} read the pasted address wrongly: ${fault}.`)
	} catch (error) {
		if (late.aborted) return undefined
		throw error
	} finally {
		await release()
	}
}

/** Returns what is wrong with an answer, by the names of its fields. */
function faultOf(form: readonly FormField[], answer: unknown): string | undefined {
	if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'its answer is no object'
	for (const [key, value] of Object.entries(answer)) {
		const field = form.find(field => field.key === key)
		if (!field) return 'the form has no such field'
		// A path grants access to a file, so only the user names one.
		if (field.type === 'file' || field.type === 'folder') return `it filled the ${field.type} “${field.label}”`
		if (!fits(field, value)) return `the value of “${field.label}” has the wrong type`
	}
	return undefined
}

function fits({ type, options = [] }: FormField, value: SettingValue | unknown): boolean {
	if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
	if (type === 'switch') return typeof value === 'boolean'
	return typeof value === 'string' && (type !== 'select' || options.some(option => option.value === value))
}
