import { benchProcess } from './plugins/process.ts'
import { benchTrust } from './plugins/trust.ts'

/** Costs of running third-party code: verifying it at each load, and isolating it. */
export async function bench(): Promise<void> {
	await benchTrust()
	console.log()
	await benchProcess()
}
