import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection, type FoundEntry } from './foreign-connection.ts'

/** Variables of an environment: addresses, and groups such as `DB_HOST`, `DB_PORT`, `DB_USER`. */
export type Variables = ReadonlyMap<string, string>

const line = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(.*))/
const longestLine = 2_000

/** Whether a text is a file of variables, by its first line that is no comment. */
export const isVariablesFile = (text: string) =>
	/^(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=/.test(
		text
			.split(/\r?\n/)
			.map(written => written.trim())
			.find(written => written !== '' && !written.startsWith('#')) ?? '',
	)

export function readVariables(text: string): readonly ForeignConnection[] {
	const variables = new Map<string, string>()
	for (const written of text.split(/\r?\n/)) {
		const [, name, single, double, bare = ''] = written.length > longestLine ? [] : (line.exec(written.trim()) ?? [])
		if (name === undefined) continue
		const value = double === undefined ? bare.replace(/\s#.*$/, '').trim() : double.replaceAll(/\\(["\\$])/g, '$1')
		variables.set(name, single ?? filledIn(value, variables) ?? value)
	}
	return [...addressesIn(variables), ...groupsIn(variables)]
}

const place = /\$(?:(\w{1,200})|\{(\w{1,200})(?:(:?-)|(:?[?+]))?([^}]{0,1000})\})/g

/** Puts values in the places `$NAME`, `${NAME}` and `${NAME:-default}`. Returns `undefined` if one has none. */
export function filledIn(value: string, variables: Variables): string | undefined {
	let isWhole = true
	const filled = value.replaceAll(
		place,
		(_, bare?: string, name = bare, otherwise?: string, __?: string, text = '') => {
			const found = variables.get(name ?? '') || (otherwise === undefined ? undefined : text)
			isWhole &&= found !== undefined
			return found ?? ''
		},
	)
	return isWhole && filled.length <= 10_000 ? filled : undefined
}

/** A web address may belong to anything, so the name of its variable names the engine. */
function addressesIn(variables: Variables): readonly ForeignConnection[] {
	return [...variables].flatMap(([name, value]) => {
		const address = addressParts(value)
		if (!address || (address.url === undefined && !address.host && !address.socketPath)) return []
		return [
			connectionOf({
				name,
				isGuess: true,
				engines: address.url === undefined ? [address.scheme] : wordsOf(name),
				...address,
			}),
		]
	})
}

const parts = {
	engine: ['CONNECTION', 'ENGINE', 'DRIVER', 'DIALECT', 'CLIENT', 'TYPE'],
	host: ['HOST', 'HOSTNAME', 'SERVER'],
	port: ['PORT'],
	user: ['USER', 'USERNAME'],
	password: ['PASSWORD', 'PASS'],
	database: ['DATABASE', 'DB', 'DBNAME', 'NAME'],
	tls: ['SSLMODE', 'SSL_MODE'],
	rootPassword: ['ROOT_PASSWORD'],
} as const
type Part = keyof typeof parts

const known = Object.entries(parts).flatMap(([part, ends]) => ends.map(end => [`_${end}`, part as Part] as const))

function groupsIn(variables: Variables): readonly ForeignConnection[] {
	const groups = new Map<string, Map<Part, string>>()
	for (const [name, value] of variables) {
		// The longest end counts: `_ROOT_PASSWORD` ends like `_PASSWORD`.
		const ends = known.filter(([end]) => name.endsWith(end) && name.length > end.length)
		const [end, part] = ends.sort(([a], [b]) => b.length - a.length)[0] ?? []
		if (end === undefined || part === undefined || value === '') continue
		const prefix = name.slice(0, -end.length)
		const group = groups.get(prefix) ?? new Map<Part, string>()
		groups.set(prefix, group.has(part) ? group : group.set(part, value))
	}
	return [...groups].flatMap(([prefix, group]) => {
		const isServer = group.has('host') || group.has('database') || group.has('user')
		if (!isServer) return []
		const engines = [...wordsOf(group.get('engine') ?? ''), ...wordsOf(prefix)]
		const host = group.get('host') ?? 'localhost'
		const port = group.get('port')
		const fitsByPort = !group.has('engine')
		return [connectionOf({ name: prefix, isGuess: true, fitsByPort, engines, ...accountOf(group), host, port })]
	})
}

/** Returns the account that variables name by their ends, whatever they begin with. */
export function accountIn(variables: Variables): Pick<FoundEntry, 'user' | 'database' | 'secrets'> {
	const account = new Map<Part, string>()
	for (const [name, value] of variables) {
		const [, part] = known.filter(([end]) => name.endsWith(end)).sort(([a], [b]) => b.length - a.length)[0] ?? []
		if (part !== undefined && value !== '' && !account.has(part)) account.set(part, value)
	}
	const { tls: _, ...rest } = accountOf(account)
	return rest
}

function accountOf(group: ReadonlyMap<Part, string>) {
	const user = group.get('user')
	// Without a user the password is that of the engine's own one, whom the form suggests.
	const password = group.get('password') ?? (user === undefined ? group.get('rootPassword') : undefined)
	return { user, database: group.get('database'), tls: group.get('tls'), secrets: { password } }
}

const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/)
