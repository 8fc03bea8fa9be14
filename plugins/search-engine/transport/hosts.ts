import { DriverError } from '@roundhouse/kit'

/** One address of the cluster. */
export interface ClusterNode {
	/** Scheme, host and port. No request may leave it. */
	readonly origin: string
	/** Path before every request path, for clusters behind a proxy: empty, or for example `/team/search`. */
	readonly prefix: string
	/** `host:port`, as errors name it. */
	readonly label: string
	/** Whether it is on this machine's loopback, where compression is not worthwhile. */
	readonly isLocal: boolean
}

const defaultPort = 9200

/**
 * Parses the `hosts` field: `host`, `host:port`, `[::1]:9200`, or a URL with an optional path, separated by commas. The
 * SSL mode determines the scheme, as the contract requires. A URL with the other scheme is rejected, so that a
 * credential is never sent unencrypted by mistake.
 *
 * @throws DriverError `invalid_argument` that names the entry (never a possible password in it)
 */
export function parseHosts(text: string, usesTls: boolean): ClusterNode[] {
	const entries = text
		.split(/[,\s]+/)
		.filter(entry => entry !== '')
		.map(entry => parseHost(entry, usesTls))
	if (entries.length === 0) throw refused('no host was entered. Enter host:port, for example localhost:9200.')
	return entries
}

function parseHost(entry: string, usesTls: boolean): ClusterNode {
	const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(entry)?.[1]?.toLowerCase()
	if (entry.includes('@')) throw refused('a host contains a user name. Use the Authentication fields instead.')
	if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
		throw refused(`"${entry}" does not begin with http:// or https://.`)
	}
	if (scheme === 'https' && !usesTls) {
		throw refused(`"${entry}" is https, but the SSL mode is Disabled. Choose another SSL mode, or write http://.`)
	}
	if (scheme === 'http' && usesTls) {
		throw refused(`"${entry}" is http, but the SSL mode requires TLS. Choose SSL mode Disabled, or write https://.`)
	}
	const rest = scheme === undefined ? bracketed(entry) : entry.slice(scheme.length + 3)
	const url = URL.parse(`${usesTls ? 'https' : 'http'}://${rest}`)
	if (url === null || url.hostname === '' || url.search !== '' || url.hash !== '' || /:0+(\/|$)/.test(rest)) {
		throw refused(`"${entry}" is not a host. Write host:port or a URL.`)
	}
	const port = portOf(rest) ?? (scheme === undefined ? defaultPort : usesTls ? 443 : 80)
	return {
		origin: `${url.protocol}//${url.hostname}:${port}`,
		prefix: url.pathname.replace(/\/+$/, ''),
		label: `${url.hostname}:${port}`,
		isLocal: /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(url.hostname),
	}
}

/** `::1` without brackets is an address, not a host with a port. */
function bracketed(entry: string): string {
	return /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f.:]*$/i.test(entry) ? `[${entry}]` : entry
}

/** Returns the port as written, because `URL` drops the default port of the scheme. */
function portOf(hostAndPath: string): number | undefined {
	const port = /^(?:\[[^\]]*\]|[^:/]*):([0-9]+)(?:\/|$)/.exec(hostAndPath)?.[1]
	return port === undefined ? undefined : Number(port)
}

/**
 * Parses an Elastic Cloud ID: `name:` and the base64 of `domain[:port]$elasticsearch[$kibana]`.
 * @throws DriverError `invalid_argument`
 */
export function parseCloudId(cloudId: string, usesTls: boolean): ClusterNode {
	const encoded = cloudId.trim().split(':').at(-1) ?? ''
	const [domain = '', cluster = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('$')
	const [host = '', port = '443'] = domain.split(':')
	const [name = '', ownPort = port] = cluster.split(':')
	if (!/^[a-z0-9.-]+$/i.test(host) || !/^[a-z0-9-]+$/i.test(name) || !/^[0-9]+$/.test(ownPort)) {
		throw refused('the Cloud ID cannot be read. Copy the complete ID from the deployment page.')
	}
	if (!usesTls) throw refused('Elastic Cloud requires TLS. Choose SSL mode Verify Identity.')
	const label = `${name}.${host}:${ownPort}`
	return { origin: `https://${label}`, prefix: '', label, isLocal: false }
}

function refused(detail: string): DriverError {
	return new DriverError('invalid_argument', `Connection failed: ${detail}`)
}
