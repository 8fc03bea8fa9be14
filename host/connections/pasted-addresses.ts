import { dirname } from 'node:path'
import { canonicalHost } from '../network/address.ts'

/** Where a pasted text leads. */
export interface PastedAddresses {
	/** Whether the text names this host, in any spelling. */
	namesHost(host: string): boolean
	/** Whether the text names this socket, or the folder that contains it. */
	namesSocket(path: string): boolean
}

/**
 * Finds the hosts and the paths in a text whose format only a driver knows. Each is a whole word: a part of
 * `db.example.com` may be the host of another company, and the folder of `/run/engine/x.sock` has neighbours that are not
 * meant. User and password of a URL are no places.
 */
export function placesIn(text: string): PastedAddresses {
	const words = text
		.replace(/:\/\/[^\s/?#]*@/g, '://')
		.split(/[\s"'`()<>{}|&,;=@?#\\]+/)
		.flatMap(word => [word, word.replace(/^[a-z][a-z0-9+.-]*:(?!:)/i, '')])
	// Words are decoded one by one, because an encoded delimiter is part of its word.
	const hosts = words.flatMap(word => word.split('/')).flatMap(word => [word, word.replace(/:\d+$/, '')])
	const names = new Set(hosts.map(decoded).map(canonicalHost))
	const paths = new Set(words.map(pathOf))
	return {
		namesHost: host => names.has(canonicalHost(host) ?? host),
		namesSocket: path => [path, dirname(path)].some(found => found !== '/' && paths.has(found)),
	}
}

/** Returns what follows the authority of a word, without a final slash and a port. */
function pathOf(word: string): string {
	const path = decoded(word.replace(/^\/\/(?=%2f)/i, ''))
	return path
		.replace(/^\/\/[^/]*/, '')
		.replace(/:\d+$/, '')
		.replace(/(.)\/+$/, '$1')
}

function decoded(word: string): string {
	return word.replace(/(?:%[0-9a-f]{2})+/gi, codes => {
		try {
			return decodeURIComponent(codes)
		} catch {
			// These bytes are not valid UTF-8.
			return codes
		}
	})
}
