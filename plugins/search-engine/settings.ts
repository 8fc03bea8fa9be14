import { DriverError, isTimeZone, type Settings } from '@roundhouse/kit'
import { type Credentials, readCredentials } from './transport/credentials.ts'
import { type ClusterNode, parseCloudId, parseHosts } from './transport/hosts.ts'
import { type SslMode, sslModes, type TlsFields } from './transport/tls.ts'

/** The parsed connection form. Only this file reads raw settings. */
export interface ConnectionPlan {
	readonly nodes: readonly ClusterNode[]
	readonly credentials: Credentials
	readonly tls: TlsFields
	readonly headers: Readonly<Record<string, string>>
	readonly connectTimeoutMs: number
	/** 0 means no limit. */
	readonly requestTimeoutMs: number
	/** Where days begin: a name that the engine knows, too. */
	readonly timeZone: string
}

/** @throws DriverError `invalid_argument` that names the field */
export function readSettings(settings: Settings): ConnectionPlan {
	const text = (key: string, fallback = '') => String(settings[key] ?? fallback)
	const sslMode = readSslMode(text('sslMode', 'Disabled'))
	const usesTls = sslMode !== 'Disabled'
	const cloudId = text('cloudId').trim()
	return {
		nodes:
			cloudId === '' ? parseHosts(text('hosts').trim() || 'localhost:9200', usesTls) : [parseCloudId(cloudId, usesTls)],
		credentials: readCredentials({
			auth: text('auth', 'basic'),
			username: text('username'),
			password: text('password'),
			apiKey: text('apiKey'),
			bearerToken: text('bearerToken'),
		}),
		tls: {
			sslMode,
			skipTlsVerify: settings.skipTlsVerify === true || settings.skipTlsVerify === 'true',
			ca: text('caFile'),
			clientCert: text('clientCert'),
			clientKey: text('clientKey'),
			clientKeyPassphrase: text('clientKeyPassphrase'),
			certFingerprint: text('certFingerprint'),
		},
		headers: readHeaders(text('headers')),
		connectTimeoutMs: readSeconds(settings, 'connectTimeoutSeconds', { fallback: 10, least: 1 }),
		requestTimeoutMs: readSeconds(settings, 'requestTimeoutSeconds', { fallback: 60, least: 0 }),
		timeZone: readTimeZone(text('timeZone').trim()),
	}
}

/** @param name if it is empty, the zone is that of this computer */
function readTimeZone(name: string): string {
	if (name === '') return new Intl.DateTimeFormat().resolvedOptions().timeZone
	if (isTimeZone(name)) return name
	throw invalid(`The time zone "${name}" is unknown. Write a name such as Europe/Berlin or UTC.`)
}

function readSslMode(text: string): SslMode {
	const mode = sslModes.find(known => known === text)
	if (mode === undefined) throw invalid(`SSL mode "${text}" is unknown. Use one of ${sslModes.join(', ')}.`)
	return mode
}

function readSeconds(settings: Settings, key: string, range: { fallback: number; least: number }): number {
	const value = settings[key]
	if (value === undefined || value === '') return range.fallback * 1000
	const seconds = Number(value)
	if (!(seconds >= range.least && seconds <= 3600)) throw invalid(`${key} must be between ${range.least} and 3600.`)
	return Math.round(seconds * 1000)
}

/** Headers that the transport sets, or that would contain a credential in a field that is not stored as a secret. */
const reservedHeaders = new Set([
	'authorization',
	'host',
	'connection',
	'content-length',
	'content-type',
	'accept',
	'cookie',
])

function readHeaders(text: string): Record<string, string> {
	const pairs = text
		.split(/[;\n]/)
		.map(pair => pair.trim())
		.filter(pair => pair !== '')
		.map(pair => {
			const colon = pair.indexOf(':')
			return [pair.slice(0, Math.max(colon, 0)).trim().toLowerCase(), pair.slice(colon + 1).trim()] as const
		})
	for (const [name, value] of pairs) {
		if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value)) {
			throw invalid('Write extra headers as "Name: value", separated by semicolons.')
		}
		if (reservedHeaders.has(name) || name.startsWith('transfer-') || name.startsWith('proxy-')) {
			throw invalid(`The header "${name}" cannot be set here.`)
		}
	}
	return Object.fromEntries(pairs)
}

function invalid(message: string): DriverError {
	return new DriverError('invalid_argument', message)
}
