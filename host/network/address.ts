import { isIPv6 } from 'node:net'
import type { Address } from '@roundhouse/kit'
import { isShown } from '@roundhouse/kit/form'
import type { FormField, Settings } from '@roundhouse/kit/manifest'
import { mappedIPv4 } from './embedded.ts'

/** Addresses as a form's text has them and as a driver asks for them, in one spelling, so that they can be compared. */

/** `host:port`, with brackets where the host is an IPv6 address. */
export function labelOf({ host, port }: Address): string {
	return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** One spelling for each host: lower case, punycode, IPv4 in dots, no dot at its end. `undefined` for what is no host. */
export function canonicalHost(host: string): string | undefined {
	const bare = host
		.replace(/^\[|\]$/g, '')
		.replace(/%.*$/, '')
		.replace(/\.+$/, '')
	const found = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}`)
	if (found?.pathname !== '/' || found.username || found.search || found.hash) return undefined
	const name = found.hostname.replace(/^\[|\]$/g, '')
	// The full stops of other scripts end a name too, and what stands before them may be an address.
	if (name.endsWith('.')) return canonicalHost(name)
	return (isIPv6(name) ? mappedIPv4(name) : undefined) ?? (name || undefined)
}

const portOfScheme: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** What a text names: `host`, `host:port`, `[::1]:port` or URLs, separated by commas or blanks. The rest is left out. */
export function parseAddresses(text: string, defaultPort: number): readonly Address[] {
	return text.split(/[,;\s]+/).flatMap(entry => {
		const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(entry) ?? []
		const authority = rest.replace(/[/?#].*$/, '').replace(/^.*@/, '')
		const [, name = '', typed] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? [undefined, authority]
		const host = canonicalHost(name)
		const port = typed === undefined ? (portOfScheme[scheme.toLowerCase()] ?? defaultPort) : Number(typed)
		return host !== undefined && port > 0 && port < 65_536 ? [{ host, port }] : []
	})
}

/** What a connection's form names: what was typed, or the default of a field that the person is shown. */
export function addressesOf(form: readonly FormField[], settings: Settings): readonly Address[] {
	const fieldOf = (key: string) => form.find(field => field.key === key)
	const typed = (key: string) => (settings[key] === '' ? undefined : settings[key])
	const textOf = (field: FormField | undefined) =>
		field && (typed(field.key) ?? (isShown(form, settings, field) ? field.default : undefined))
	return form.flatMap(field => {
		const { addresses } = field
		if (!addresses) return []
		const port = addresses.portField === undefined ? undefined : Number(textOf(fieldOf(addresses.portField)))
		return parseAddresses(String(textOf(field) ?? ''), port || addresses.defaultPort)
	})
}

export function isSameAddress(one: Address, other: Address): boolean {
	return one.host === other.host && one.port === other.port
}
