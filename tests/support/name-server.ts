import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Answers for names in the system's place, until it is disposed of; what it does not answer the system does. */
export function nameServer(answer: (name: string) => Promise<LookupAddress[]> | undefined): Disposable {
	const real = dns.lookup
	const lookup = (name: string, options: { all: true }) => answer(name) ?? real(name, options)
	become({ lookup })
	return { [Symbol.dispose]: () => become({ lookup: real }) }
}

/** Node's own modules are the same for everybody in a process, also for who has imported them before. */
function become(functions: object): void {
	Object.assign(dns, functions)
	syncBuiltinESMExports()
}
