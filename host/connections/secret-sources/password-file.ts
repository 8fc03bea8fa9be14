import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FormField, PasswordFile, Settings } from '@roundhouse/kit/manifest'
import { addressesOf, socketPathsOf } from '../../network/address.ts'
import { fileFault } from '../file-fault.ts'
import { readText } from '../read-text.ts'

/** Files of the user in which the clients of an engine find passwords. */

/** What a line of such a file is chosen by. */
interface Account {
	/** Each as `[host, port]`. */
	readonly addresses: readonly (readonly [host: string, port: string])[]
	readonly database: string
	readonly username: string
}

interface Format {
	readonly name: string
	path(): string
	/** Bits of the mode that a file with passwords may not have. */
	readonly refusedMode: number
	find(text: string, account: Account): string | undefined
}

const isWindows = process.platform === 'win32'

const formats: Readonly<Record<PasswordFile, Format>> = {
	/** https://www.postgresql.org/docs/current/libpq-pgpass.html */
	pgpass: {
		name: isWindows ? 'pgpass.conf' : '~/.pgpass',
		path: () =>
			process.env.PGPASSFILE ||
			(isWindows ? join(process.env.APPDATA ?? '', 'postgresql', 'pgpass.conf') : join(homedir(), '.pgpass')),
		refusedMode: 0o077,
		find: passwordOfPgpass,
	},
	/** https://www.postgresql.org/docs/current/libpq-pgservice.html. The file of the machine, and LDAP, are not read. */
	'pg_service.conf': {
		name: '~/.pg_service.conf',
		path: () =>
			process.env.PGSERVICEFILE ||
			(isWindows
				? join(process.env.APPDATA ?? '', 'postgresql', '.pg_service.conf')
				: join(homedir(), '.pg_service.conf')),
		refusedMode: 0o077,
		find: passwordOfService,
	},
	/** https://mariadb.com/kb/en/configuring-mariadb-with-option-files/. Files that it includes are not read. */
	'my.cnf': {
		name: '~/.my.cnf',
		path: () => join(homedir(), '.my.cnf'),
		refusedMode: 0o002,
		find: passwordOfOptions,
	},
}

/**
 * Reads a password as the engine's clients do.
 * @throws Error with the reason, which quotes nothing of the file
 */
export async function passwordOfFile(
	format: PasswordFile,
	form: readonly FormField[],
	settings: Settings,
): Promise<string> {
	const { name, path, refusedMode, find } = formats[format]
	const text = await read(path(), refusedMode, name)
	const found = find(text, accountOf(form, settings))
	if (found === undefined) throw new Error(`no line of ${name} fits this connection`)
	return found
}

async function read(path: string, refusedMode: number, name: string): Promise<string> {
	const { text, mode } = await readText(path).catch(error => {
		throw new Error(`${name} cannot be read: ${fileFault(path, error).reason}`)
	})
	if (!isWindows && (mode & refusedMode) !== 0)
		throw new Error(`other users of this machine can ${refusedMode === 0o002 ? 'write' : 'read'} ${name}`)
	return text
}

/** Settings are those of a saved connection, which has the defaults that its form showed. */
function accountOf(form: readonly FormField[], settings: Settings): Account {
	const taken = (part: FormField['takes']) =>
		String(settings[form.find(({ takes }) => takes === part)?.key ?? ''] ?? '')
	// The clients name a server on a Unix socket by its folder, or as this machine.
	const sockets = socketPathsOf(form, settings).map(path =>
		[dirname(path), 'localhost'].map(host => [host, path] as const),
	)
	return {
		addresses:
			sockets.length > 0
				? sockets.flat().map(([host, path]) => [host, path.split('.').at(-1) ?? ''])
				: addressesOf(form, settings).map(({ host, port }) => [host, String(port)]),
		database: taken('database'),
		username: taken('username'),
	}
}

/** A field of a line: `\` stands before a colon or another `\` that belongs to it. */
const pgpassField = String.raw`((?:\\.|[^:\\])*)`
const pgpassLine = new RegExp(`^${Array(5).fill(pgpassField).join(':')}`)

function passwordOfPgpass(text: string, { addresses, database, username }: Account): string | undefined {
	const fits = (pattern: string | undefined, value: string) => pattern === '*' || unescaped(pattern) === value
	for (const line of text.split(/\r?\n/)) {
		const [, host, port, ofDatabase, user, password] = line.startsWith('#') ? [] : (pgpassLine.exec(line) ?? [])
		if (password === undefined || !fits(ofDatabase, database) || !fits(user, username)) continue
		if (addresses.some(([name, at]) => fits(host, name) && fits(port, at))) return unescaped(password)
	}
	return undefined
}

const unescaped = (text = '') => text.replaceAll(/\\(.)/g, '$1')

/** Returns the options of a file of groups (`[name]`), as they are written. */
function* optionsOf(
	text: string,
): Generator<{ readonly group: string; readonly name: string; readonly value: string }> {
	let group = ''
	for (const line of text.split(/\r?\n/).map(line => line.trim())) {
		const named = /^\[([^\]]*)\]/.exec(line)
		if (named) group = named[1]?.trim() ?? ''
		const [, name, value = ''] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? []
		if (name !== undefined) yield { group, name: name.toLowerCase(), value }
	}
}

/** The first service that leads where the connection does. What it leaves open fits. */
function passwordOfService(text: string, { addresses, database, username }: Account): string | undefined {
	const services = Map.groupBy(optionsOf(text), ({ group }) => group)
	for (const options of services.values()) {
		const { password, host, hostaddr, port, dbname, user }: Readonly<Record<string, string>> = Object.fromEntries(
			options.map(({ name, value }) => [name, value]),
		)
		const isThere = addresses.some(
			([name, at]) => name === (host || hostaddr || 'localhost') && at === (port || '5432'),
		)
		if (password && isThere && (dbname ?? database) === database && (user ?? username) === username) return password
	}
	return undefined
}

/** The last one of the group that all clients read. */
function passwordOfOptions(text: string): string | undefined {
	const found = [...optionsOf(text)].findLast(({ group, name }) => group === 'client' && name === 'password')
	return found && optionValue(found.value)
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', r: '\r', s: ' ' }

/** Returns a value of an option file. A comment may follow it, and quotes may surround it. */
export function optionValue(written: string): string {
	const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(written)
	const value = quoted ? (quoted[2] ?? '') : written.replace(/\s+#.*$/, '')
	return value.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
}
