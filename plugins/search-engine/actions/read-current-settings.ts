import { DriverError } from '@roundhouse/kit'
import type { Transport } from '../transport/transport.ts'
import { type CurrentSettings, currentSettings, currentSettingsPath } from './change-settings.ts'
import { longestTarget, targetOf } from './table-actions.ts'

interface Cluster {
	readonly transport: Transport
	readonly isServerless: boolean
}

/**
 * Reads what the indices set now, of what the form shows. Returns nothing for more indices than one request can name,
 * and without the privilege to read settings.
 */
export async function readCurrentSettings(
	{ transport, isServerless }: Cluster,
	tables: readonly string[],
	signal: AbortSignal,
): Promise<CurrentSettings> {
	const target = targetOf(tables)
	if (tables.length === 0 || target.length > longestTarget) return {}
	try {
		const path = `${target}/${currentSettingsPath}`
		const current = currentSettings((await transport.send({ method: 'GET', path, isRead: true }, signal)).json())
		const { replicas: _, ...withoutReplicas } = current
		// A setting without a field would look emptied.
		return isServerless ? withoutReplicas : current
	} catch (error) {
		signal.throwIfAborted()
		if (error instanceof DriverError) return {}
		throw error
	}
}
