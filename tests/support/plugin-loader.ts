import { type Log, silentLog } from '../../host/base/log.ts'
import type { SupportDirectory } from '../../host/base/support-directory.ts'
import { Drivers } from '../../host/plugin-loader/drivers.ts'
import { everythingIn } from './support-directory.ts'
import type { TestRegistry } from './test-registry.ts'

/** The plugin loader on one registry; its processes end with the test. */
export async function openDrivers(
	support: SupportDirectory,
	registry: Pick<TestRegistry, 'source'>,
	log: Log = silentLog,
): Promise<Drivers & AsyncDisposable> {
	const drivers = await Drivers.open(support, [registry.source], log)
	return Object.assign(drivers, { [Symbol.asyncDispose]: () => drivers.stopAll() })
}

/** Files of installed drivers and of downloads under way. */
export const installedFiles = async (support: SupportDirectory) =>
	(await everythingIn(support.file('plugins'))).filter(name => name !== '.staging')

export function flipByte(data: Buffer, index: number): Buffer {
	const altered = Buffer.from(data)
	altered[index] = (altered[index] ?? 0) ^ 1
	return altered
}
