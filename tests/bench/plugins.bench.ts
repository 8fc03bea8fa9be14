import { benchProcess } from './plugins/process.ts'
import { benchTrust } from './plugins/trust.ts'

/** What it costs to run strangers' code: trusting it at each load, and keeping it apart. */
export async function bench(): Promise<void> {
	await benchTrust()
	console.log()
	await benchProcess()
}
