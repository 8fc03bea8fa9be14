import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { depthOf } from './forbidden-addresses.ts'

/**
 * Rejects a redirect to an address that is deeper inside than the server that sent it. A redirect from the public
 * network must not reach this machine, a cloud's metadata service or a private network.
 * @param depth of the redirecting server, as `depthOf` returns it
 */
export class DepthGuard {
	readonly #depth: number

	constructor(depth: number) {
		this.#depth = depth
	}

	/** @throws Error if the URL contains such an address */
	check({ hostname, host }: URL): void {
		const literal = hostname.replace(/^\[|\]$/g, '')
		if (isIP(literal) !== 0 && this.#isDeeper(literal)) throw this.#refusal(host)
	}

	/**
	 * Resolves a name like `dns.lookup`, for the `lookup` option of a socket, so that the checked address is the one that
	 * is connected.
	 */
	readonly lookup: LookupFunction = (host, options, done) =>
		lookUp(host, { ...options, all: true }, (error, found = []) => {
			if (error) return done(error, [])
			if (found.some(({ address }) => this.#isDeeper(address))) return done(this.#refusal(host), [])
			if (options.all) done(null, found)
			else done(null, found[0]?.address ?? '', found[0]?.family)
		})

	#isDeeper(ip: string): boolean {
		return depthOf(ip) > this.#depth
	}

	#refusal(host: string): Error {
		return new Error(`it leads to ${host}, an address of this machine or of a private network`)
	}
}
