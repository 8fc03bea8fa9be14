import type { PasswordFile } from '@roundhouse/kit/manifest'
import { oneLine } from '@roundhouse/kit/shown-text'
import { isDestination, type SharedSsh } from '../../network/ssh/ssh-setting.ts'
import { connectionErrors } from '../errors.ts'

/** What files of other programs say about connections. Such a file may come from anywhere. */

/** Largest file of another program in characters, and how many connections it may have. */
export const longestFile = 5_000_000
/** Larger files of lines, and of YAML, are no work of a person. Their readers take longer for each character. */
export const longestWritten = 300_000
export const mostConnections = 500

/** Secrets that a file has in clear, by what a form calls them (`takes`). */
export type ForeignSecrets = Readonly<Partial<Record<'password' | 'apiKey' | 'bearerToken', string>>>

export interface ForeignConnection {
	readonly name: string
	/** Empty for none. */
	readonly group: string
	/** Words that may name the engine, in lower case. */
	readonly engines: readonly string[]
	/** Set if the file belongs to the family of clients that read passwords of this file. */
	readonly passwordFile?: PasswordFile
	/** `true`: no driver is missed if none fits, because the file need not be about a database. */
	readonly isGuess: boolean
	/** `true`: if no word fits, a driver does whose engine usually has the port. */
	readonly fitsByPort: boolean
	/** A name, an IP address, or the folder of a Unix socket. */
	readonly host?: string
	readonly port?: number
	/** A web address without credentials, in place of host and port. */
	readonly url?: string
	readonly socketPath?: string
	readonly database?: string
	readonly user?: string
	/** The mode of TLS, in the words of the file. */
	readonly tls?: string
	/** Leads the connection through SSH. */
	readonly ssh?: SharedSsh
	readonly isReadOnly: boolean
	readonly isProduction: boolean
	readonly secrets: ForeignSecrets
	/** What the file says besides, and is not taken over. */
	readonly left: readonly string[]
	/** Why no connection can be made. */
	readonly fault?: string
}

export interface ForeignFile {
	/** The program or the kind of file. */
	readonly source: string
	readonly connections: readonly ForeignConnection[]
}

interface FoundHop {
	readonly host?: string | undefined
	readonly port?: string | number | undefined
	readonly user?: string | undefined
}

/** A server of SSH, and those on the way to it. */
export interface FoundWay extends FoundHop {
	readonly jumps?: readonly FoundHop[]
}

/** What a format found. Values are as the file has them. */
export interface FoundEntry {
	readonly name: string | undefined
	readonly group?: string | undefined
	readonly engines: readonly string[]
	readonly passwordFile?: PasswordFile
	readonly isGuess?: boolean
	readonly fitsByPort?: boolean
	readonly host?: string | undefined
	readonly port?: number | string | undefined
	readonly url?: string | undefined
	readonly socketPath?: string | undefined
	readonly database?: string | undefined
	readonly user?: string | undefined
	readonly tls?: string | undefined
	readonly ssh?: FoundWay | undefined
	readonly isReadOnly?: boolean | undefined
	readonly isProduction?: boolean | undefined
	readonly secrets?: Readonly<Partial<Record<keyof ForeignSecrets, string | undefined>>>
	readonly left?: readonly (string | false | undefined)[]
	readonly fault?: string | undefined
}

/** The error for a file that cannot be used. No reason quotes a value of the file, which may be a password. */
export const unfit = (reason: string) =>
	connectionErrors.make('import_unfit', { reason: oneLine(reason).slice(0, 500) })

const longestValue = 1_000
const variable = /\$\{\w+/
const hostPattern = /^(?:[^\s/@?#,;\\[\]{}$]{1,255}|\[[0-9A-Fa-f:.%]{2,60}\])$/
/** Also a path of Windows. */
const pathPattern = /^(?:\/|[A-Za-z]:\\)[^\n]{0,999}$/

/** Returns a connection whose texts can be shown, and whose address is one. */
export function connectionOf(entry: FoundEntry): ForeignConnection {
	const { host, port, url, socketPath, ssh, secrets = {} } = entry
	const isVariable = Object.values(secrets).some(secret => secret !== undefined && variable.test(secret))
	const left = [...(entry.left ?? []), isVariable && 'the password, which is a variable'].filter(
		one => typeof one === 'string',
	)
	const tunnel = ssh && wayOf(ssh)
	const faults = [
		entry.fault,
		!host && url === undefined && !socketPath && 'it names no host',
		host && !isPlain(host, hostPattern) && !isPlain(host, pathPattern) && 'its host cannot be read',
		port !== undefined && port !== '' && portOf(port) === undefined && 'its port is no number from 1 to 65535',
		url !== undefined && webAddress(url) === undefined && 'its address cannot be read',
		socketPath && !isPlain(socketPath, pathPattern) && 'its socket is no path',
		...[entry.database, entry.user].map(value => value && !isPlain(value, /^.{0,1000}$/) && 'a value cannot be shown'),
		ssh && tunnel === undefined && 'its way through SSH cannot be read',
	]
	const fault = faults.find(one => typeof one === 'string' && one !== '')
	const values = {
		host,
		port: portOf(port),
		url: url === undefined ? undefined : webAddress(url),
		socketPath,
		database: entry.database,
		user: entry.user,
		tls: entry.tls && oneLine(entry.tls).slice(0, 100),
		ssh: tunnel,
		passwordFile: entry.passwordFile,
		fault: fault || undefined,
	}
	return {
		name: label(entry.name) || label(host) || 'Connection',
		group: label(entry.group).slice(0, 100).trim(),
		engines: entry.engines.map(word => oneLine(word).toLowerCase().slice(0, 100)).filter(word => word !== ''),
		isGuess: entry.isGuess ?? false,
		fitsByPort: entry.fitsByPort ?? false,
		isReadOnly: entry.isReadOnly ?? false,
		isProduction: entry.isProduction ?? false,
		secrets: isVariable ? {} : given(secrets),
		left: left.map(one => oneLine(one).slice(0, 300)),
		...given(values),
	}
}

/** Leaves out what the file does not have. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
	// The entries are those of the object.
	return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

const label = (text = '') => oneLine(text).slice(0, 200).trim()

const isPlain = (text: string, pattern: RegExp) =>
	text.length <= longestValue && text === oneLine(text) && pattern.test(text)

function portOf(port: number | string | undefined): number | undefined {
	const number = Number(port === '' ? undefined : port)
	return Number.isInteger(number) && number > 0 && number < 65_536 ? number : undefined
}

/** Returns a web address with host and path alone. */
function webAddress(text: string): string | undefined {
	const url = URL.parse(text)
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || text !== oneLine(text)) return undefined
	return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
}

/** Returns a way of which each host is one. Without the others it would lead elsewhere. */
function wayOf({ jumps = [], ...last }: FoundWay): SharedSsh | undefined {
	const [destination, ...before] = [last, ...jumps].map(destinationOf)
	if (destination === undefined || before.includes(undefined)) return undefined
	return { destination, ...(before.length > 0 && { jump: before.join(',') }) }
}

function destinationOf({ host, port, user }: FoundHop): string | undefined {
	const usual = port === undefined || port === '' || Number(port) === 22
	const text = `${user ? `${user}@` : ''}${host ?? ''}${usual ? '' : `:${port}`}`
	return isDestination(text) ? text : undefined
}
