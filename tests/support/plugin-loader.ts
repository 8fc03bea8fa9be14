import { type Log, silentLog } from '../../base/log.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { Drivers, type RegistrySource } from '../../host/plugin-loader/drivers.ts'
import { everythingIn } from './support-directory.ts'

/** The plugin loader on one registry. Its processes end with the test. */
export async function openDrivers(
	support: SupportDirectory,
	registry: { readonly source: RegistrySource },
	log: Log = silentLog,
): Promise<Drivers & AsyncDisposable> {
	const drivers = await Drivers.open(support, [registry.source], { log })
	return Object.assign(drivers, { [Symbol.asyncDispose]: () => drivers.stopAll() })
}

/** Files of installed drivers and of running downloads. */
export const installedFiles = async (support: SupportDirectory) =>
	(await everythingIn(support.file('plugins'))).filter(name => name !== '.staging')

export function flipByte(data: Buffer, index: number): Buffer {
	const altered = Buffer.from(data)
	altered[index] = (altered[index] ?? 0) ^ 1
	return altered
}
