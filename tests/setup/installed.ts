import { Roundhouse } from '../support/roundhouse.ts'

/** Installs the driver once per run. Tests that need it start with a copy of that support directory. */
export default async function installDriver(): Promise<() => Promise<void>> {
	const roundhouse = await Roundhouse.make()
	await roundhouse.json(['plugin', 'install', 'search-engine'])
	process.env.ROUNDHOUSE_TEST_INSTALLED = roundhouse.home
	return () => roundhouse[Symbol.asyncDispose]()
}
