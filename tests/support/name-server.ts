import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Answers lookups of names in place of the system until it is disposed. The system answers all other names. */
export function nameServer(answer: (name: string) => Promise<LookupAddress[]> | undefined): Disposable {
	const real = dns.lookup
	const lookup = (name: string, options: { all: true }) => answer(name) ?? real(name, options)
	become({ lookup })
	return { [Symbol.dispose]: () => become({ lookup: real }) }
}

/** Node's built-in modules are shared in a process, also with modules that imported them before. */
function become(functions: object): void {
	Object.assign(dns, functions)
	syncBuiltinESMExports()
}
