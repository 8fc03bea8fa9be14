import type { Settings } from '@roundhouse/kit'
import { sslModes } from './settings.ts'

/**
 * Reads an address of PostgreSQL: a URL, `jdbc:postgresql:`, key words of libpq, or a line of `psql`. See
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 */
export function readAddress(text: string): Settings | undefined {
	const typed = text.trim().replace(/^jdbc:/i, '')
	if (/^postgres(ql)?:\/\//i.test(typed)) return fromUrl(typed)
	const line = withoutAssignments(typed)
	if (/^psql(\s|$)/.test(line.text)) return { ...fromCommand(wordsOf(line.text).slice(1)), ...line.settings }
	return /^\s*\w+\s*=/.test(typed) ? fromKeyWords(typed) : undefined
}

/** Fields of the form by key words of libpq. */
const fields = new Map(
	Object.entries({
		host: 'host',
		hostaddr: 'host',
		port: 'port',
		dbname: 'database',
		user: 'username',
		password: 'password',
		sslmode: 'sslMode',
		application_name: 'applicationName',
		connect_timeout: 'connectTimeoutSeconds',
	}),
)

function settingsOf(entries: Iterable<readonly [string, string]>): Settings | undefined {
	const settings: Record<string, string | number> = {}
	for (const [word, value] of entries) {
		const field = fields.get(word)
		if (field === undefined || value === '') continue
		if (field === 'sslMode' && !sslModes.some(mode => mode === value)) continue
		const isNumber = field === 'port' || field === 'connectTimeoutSeconds'
		if (isNumber && !/^\d+$/.test(value)) continue
		settings[field] = isNumber ? Number(value) : value
	}
	const { host, port = 5432, ...rest } = settings
	if (typeof host === 'string' && host.startsWith('/'))
		return { ...rest, socketPath: `${host.replace(/\/$/, '')}/.s.PGSQL.${port}` }
	return Object.keys(settings).length === 0 ? undefined : settings
}

function fromUrl(text: string): Settings | undefined {
	// Several hosts are tried in turn by libpq; the first one is taken.
	const [, user = '', hosts = '', path = '', query = ''] =
		/^\w+:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text) ?? []
	const [name = '', ...secret] = user.split(':')
	const [first = ''] = hosts.split(',')
	const [, ipv6, plain = '', port = ''] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(first) ?? []
	return settingsOf([
		['host', decoded(ipv6 ?? plain)],
		['port', port],
		['user', decoded(name)],
		['password', decoded(secret.join(':'))],
		['dbname', decoded(path)],
		...new URLSearchParams(query).entries(),
	])
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}

const keyWord = /(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))/gy

function fromKeyWords(text: string): Settings | undefined {
	const entries: [string, string][] = []
	let at = 0
	while (at < text.length) {
		keyWord.lastIndex = at
		const found = keyWord.exec(text)
		if (!found?.[1]) return undefined
		entries.push([found[1], (found[2] ?? found[3] ?? '').replace(/\\(.)/g, '$1')])
		at = keyWord.lastIndex + (/^\s*/.exec(text.slice(keyWord.lastIndex))?.[0].length ?? 0)
	}
	return settingsOf(entries)
}

/** Variables of the environment before a command: `PGPASSWORD=secret psql …`. */
const variables: Readonly<Record<string, string>> = {
	PGHOST: 'host',
	PGPORT: 'port',
	PGDATABASE: 'dbname',
	PGUSER: 'user',
	PGPASSWORD: 'password',
	PGSSLMODE: 'sslmode',
	PGAPPNAME: 'application_name',
}

function withoutAssignments(text: string): { readonly text: string; readonly settings: Settings } {
	const words = wordsOf(text)
	const count = words.findIndex(word => !/^PG\w+=/.test(word))
	const entries = words.slice(0, Math.max(0, count)).flatMap(word => {
		const [name = '', ...value] = word.split('=')
		const known = variables[name]
		return known === undefined ? [] : [[known, value.join('=')] as const]
	})
	const rest = count > 0 ? text.slice(text.indexOf(words[count] ?? '')) : text
	return { text: rest, settings: settingsOf(entries) ?? {} }
}

/** Words of a shell, with quotes taken off. */
const wordsOf = (line: string) =>
	[...line.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
		word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) =>
			String(single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped),
		),
	)

const options: Readonly<Record<string, string>> = {
	h: 'host',
	host: 'host',
	p: 'port',
	port: 'port',
	U: 'user',
	username: 'user',
	d: 'dbname',
	dbname: 'dbname',
}

function fromCommand(words: readonly string[]): Settings | undefined {
	const entries: [string, string][] = []
	const positional = ['dbname', 'user']
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? ''
		const [, long, value] = /^--(\w+)(?:=(.*))?$/.exec(word) ?? []
		const [, short, joined] = /^-(\w)(.*)$/.exec(word) ?? []
		const name = options[long ?? short ?? '']
		if (word.startsWith('-') && name === undefined) continue
		if (name !== undefined) entries.push([name, value ?? (joined || words[++at] || '')])
		else entries.push([positional.shift() ?? '', word])
	}
	const address = entries.find(([name, value]) => name === 'dbname' && /^postgres(ql)?:\/\/|=/.test(value))?.[1]
	if (address === undefined) return settingsOf(entries)
	return { ...readAddress(address), ...settingsOf(entries.filter(([, value]) => value !== address)) }
}
