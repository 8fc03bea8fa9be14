import { isIPv6 } from 'node:net'
import type { TcpAddress } from '@roundhouse/kit'
import type { FormField, Settings } from '@roundhouse/kit/manifest'
import { mappedIPv4 } from '../../base/embedded-ipv4.ts'

/** Parses addresses from forms and from drivers into a canonical spelling, so that they can be compared. */

/** Returns `host:port`, with brackets around an IPv6 address. */
export function labelOf({ host, port }: TcpAddress): string {
	return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Returns the label of an address that may be behind a tunnel: `localhost` is another machine there. */
export function labelBehind(address: TcpAddress, tunnel: string | undefined): string {
	return tunnel === undefined ? labelOf(address) : `${labelOf(address)} behind ${tunnel}`
}

/**
 * Returns the canonical spelling of a host: lower case, punycode, dotted IPv4, no final dot. Returns `undefined` if it
 * is not a host.
 */
export function canonicalHost(host: string): string | undefined {
	const bare = host
		.replace(/^\[|\]$/g, '')
		.replace(/%.*$/, '')
		.replace(/\.+$/, '')
	const found = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}`)
	if (found?.pathname !== '/' || found.username || found.search || found.hash) return undefined
	const name = found.hostname.replace(/^\[|\]$/g, '')
	// Full stops of other scripts become a final dot too, and the rest of the name may be an address.
	if (name.endsWith('.')) return canonicalHost(name)
	return (isIPv6(name) ? mappedIPv4(name) : undefined) ?? (name || undefined)
}

const portOfScheme: Readonly<Record<string, number>> = { http: 80, https: 443 }

/**
 * Parses a list of `host`, `host:port`, `[::1]:port` or URLs, separated by commas, semicolons or whitespace. Skips
 * invalid entries.
 */
export function parseAddresses(text: string, defaultPort: number): readonly TcpAddress[] {
	return text.split(/[,;\s]+/).flatMap(entry => {
		const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(entry) ?? []
		const authority = rest.replace(/[/?#].*$/, '').replace(/^.*@/, '')
		const [, name = '', typed] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [undefined, authority]
		const host = canonicalHost(name)
		const port = typed === undefined ? (portOfScheme[scheme.toLowerCase()] ?? defaultPort) : Number(typed)
		return host !== undefined && port > 0 && port < 65_536 ? [{ host, port }] : []
	})
}

/**
 * Returns the addresses in a connection's form. Ignores the form's defaults: a saved connection contains the defaults
 * that the user was shown, and another release may have different ones.
 */
export function addressesOf(form: readonly FormField[], settings: Settings): readonly TcpAddress[] {
	return form.flatMap(({ key, addresses }) => {
		if (!addresses) return []
		const port = addresses.portField === undefined ? undefined : Number(settings[addresses.portField])
		return parseAddresses(String(settings[key] ?? ''), port || addresses.defaultPort)
	})
}

export function isSameAddress(one: TcpAddress, other: TcpAddress): boolean {
	return one.host === other.host && one.port === other.port
}

/** Returns the paths of Unix sockets in a connection's form, as the user typed them. */
export function socketPathsOf(form: readonly FormField[], settings: Settings): readonly string[] {
	return form.flatMap(({ key, isSocketPath }) => (isSocketPath && settings[key] ? [String(settings[key])] : []))
}
