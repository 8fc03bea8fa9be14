import type { FoundEntry } from './foreign-connection.ts'

/** What an address of any engine has, as clients and libraries write it: `scheme://user:password@host:port/database?…`. */
export interface AddressParts
	extends Pick<FoundEntry, 'host' | 'port' | 'url' | 'database' | 'user' | 'socketPath' | 'tls' | 'secrets' | 'ssh'> {
	/** Without `jdbc:`, and without the name of a library behind `+`. */
	readonly scheme: string
}

const pattern =
	/^(?:jdbc:)?([a-z][a-z0-9.-]*)(?:\+[\w-]+)?:(?:[a-z]+:)*\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?/i

/** A driver of JDBC in front of a web address: `jdbc:es://http://localhost:9200`. */
const webBehind = /^jdbc:([a-z]+):(?:\/\/)?(https?:\/\/.*)$/is

/** As TablePlus writes it, the server of SSH in front of the other: `mysql+ssh://ann@hop:22/user:password@db/shop`. */
const throughSsh = /^([a-z][a-z0-9.-]*)\+ssh:\/\/(?:([^/?#]*)@)?(\[[^\]/?#]*\]|[^:@/?#]*)(?::(\d+))?\/(.*)$/is

/** Reads an address. Returns `undefined` if the text is none. Of several hosts it takes the first. */
export function addressParts(text: string): AddressParts | undefined {
	const [, driver, web] = webBehind.exec(text.trim()) ?? []
	const [, inner, login = '', hop, hopPort, rest] = throughSsh.exec(text.trim()) ?? []
	if (inner !== undefined) {
		const last = addressParts(`${inner}://${rest}`)
		// A password of SSH is not taken over: ssh asks for it.
		return (
			last && { ...last, ssh: { host: hop, port: hopPort, user: decoded(login.replace(/:.*$/s, '')) || undefined } }
		)
	}
	const behind = web === undefined ? undefined : addressParts(web)
	if (driver !== undefined && behind) return { ...behind, scheme: driver.toLowerCase() }
	const [found, scheme = '', account = '', hosts = '', path = '', query = ''] = pattern.exec(text.trim()) ?? []
	if (found === undefined) return undefined
	const [user = '', ...password] = account.split(':')
	const [first = ''] = hosts.split(',')
	const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(first) ?? [undefined, first]
	const parameters = new Map([...new URLSearchParams(query)].map(([key, value]) => [plain(key), value]))
	const isWeb = /^https?$/i.test(scheme)
	return {
		scheme: scheme.toLowerCase(),
		...(isWeb
			? { url: text.trim().replace(/\/\/[^/?#]*@/, '//') }
			: { host: decoded(host), port, database: decoded(path) }),
		user: decoded(user) || parameters.get('user'),
		secrets: { password: decoded(password.join(':')) || parameters.get('password') },
		socketPath: parameters.get('socket'),
		tls: tlsOf(parameters),
	}
}

/** Returns the mode of TLS among options, whose names differ in case and hyphens. */
export function tlsOf(options: ReadonlyMap<string, string>): string | undefined {
	const mode = options.get('sslmode')
	if (mode) return mode
	const flag = options.get('ssl') ?? options.get('usessl') ?? options.get('requiressl')
	if (flag === undefined) return undefined
	return /^(?:true|1|yes|on|require)$/i.test(flag) ? 'require' : /^(?:false|0|no|off)$/i.test(flag) ? 'disable' : flag
}

/** Returns the name of an option without case, hyphens and underscores. */
export const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]/g, '')

function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}
