import { isLoopbackHost } from '../../base/loopback.ts'
import { pluginErrors } from '../errors.ts'

/** Where a registry may be: `https:` anywhere, `http:` on loopback alone, `file:` for a local folder. */

const isLocalHttp = (url: URL) => url.protocol === 'http:' && isLoopbackHost(url.hostname)

/** Checks a registry's address and gives it a trailing slash. @throws HostError `plugin/registry_address` */
export function registryUrl(address: string): URL {
	const refuse = (cause?: unknown) => pluginErrors.make('registry_address', { registry: address }, { cause })
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
 * Whether one address may send its reader on to another. Never from the network to this machine, where it would knock
 * at other programs' doors, and never to what anybody on the way can read.
 */
export function mayRedirect(from: URL, to: URL): boolean {
	if (to.username || to.password) return false
	return to.protocol === 'https:' || (isLocalHttp(from) && isLocalHttp(to))
}
