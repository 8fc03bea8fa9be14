import type { Manifest } from '@roundhouse/kit/manifest'
import { isListening } from '../network/local-port.ts'
import type { Drivers } from '../plugin-loader/drivers.ts'
import type { DriverSource } from '../plugin-loader/release-catalog.ts'

/** A sample of a driver, or a server that listens on this machine. */
export interface FirstStep {
	readonly driver: string
	readonly source: DriverSource
	/** Name and icon of the engine. */
	readonly engine: string
	readonly icon: string
	/** Address of the server. */
	readonly server?: string
	/** Set for a sample. */
	readonly isSample?: true
}

/**
 * Returns what a new user can begin with: the samples of drivers, and servers that listen on this machine at the usual
 * port of their engine. They are offered; nothing is opened.
 */
export async function firstSteps(drivers: Pick<Drivers, 'browse'>): Promise<readonly FirstStep[]> {
	const { offers } = await drivers.browse()
	const usable = offers.filter(({ state, available }) => state === 'installed' || available !== undefined)
	const steps = await Promise.all(usable.map(({ manifest, source }) => stepsOf(manifest, source)))
	return steps.flat()
}

async function stepsOf(manifest: Manifest, source: FirstStep['source']): Promise<readonly FirstStep[]> {
	const { id: driver, displayName: engine, icon, hasSample } = manifest
	const step = { driver, engine, icon, source }
	const port = usualPort(manifest)
	const found = port !== undefined && (await isListening(port))
	return [
		...(found ? [{ ...step, server: `localhost:${port}` }] : []),
		...(hasSample ? [{ ...step, isSample: true as const }] : []),
	]
}

/** Returns the port that the form suggests, if it suggests a server on this machine. */
function usualPort({ form }: Manifest): number | undefined {
	const field = form.find(({ addresses }) => addresses !== undefined)
	const isLocal = /^(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1)(?:[:/]|$)/.test(String(field?.default ?? ''))
	return isLocal ? field?.addresses?.defaultPort : undefined
}
