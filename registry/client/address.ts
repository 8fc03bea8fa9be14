import { isLoopbackHost } from '../../base/loopback.ts'
import { registryClientErrors } from './errors.ts'

/** Where a registry may be: `https:` on any host, `http:` on loopback only, `file:` for a local folder. */

const isLocalHttp = (url: URL) => url.protocol === 'http:' && isLoopbackHost(url.hostname)

/** Validates the address of a registry and adds a trailing slash. @throws HostError `plugin/registry_address` */
export function registryUrl(address: string): URL {
	const refuse = (cause?: unknown) => registryClientErrors.make('registry_address', { registry: address }, { cause })
	let url: URL
	try {
		url = new URL(address.endsWith('/') ? address : `${address}/`)
	} catch (error) {
		throw refuse(error)
	}
	const isAllowed = url.protocol === 'https:' || url.protocol === 'file:' || isLocalHttp(url)
	if (!isAllowed || url.username || url.password) throw refuse()
	return url
}

/**
 * Returns whether one address may redirect to another. Never from the network to this machine, where the request could
 * reach other local programs. Never to a plain-text connection on the network, which others can read.
 */
export function mayRedirect(from: URL, to: URL): boolean {
	if (to.username || to.password) return false
	return to.protocol === 'https:' || (isLocalHttp(from) && isLocalHttp(to))
}
