import type { Settings } from '@roundhouse/kit'
import { sslModes } from './settings.ts'

/**
 * Reads an address of MariaDB or MySQL: a URL, `jdbc:mariadb:`, or a line of `mysql` or `mariadb`. See
 * https://dev.mysql.com/doc/refman/8.4/en/connecting-using-uri-or-key-value-pairs.html
 */
export function readAddress(text: string): Settings | undefined {
	const typed = text.trim().replace(/^jdbc:/i, '')
	if (/^(mysql|mariadb)(x|\+\w+)?:\/\//i.test(typed)) return fromUrl(typed)
	const words = wordsOf(typed)
	const command = words.findIndex(word => !/^MYSQL_\w+=/.test(word))
	if (command < 0 || !/^(?:.*\/)?(mysql|mariadb|mycli)$/.test(words[command] ?? '')) return undefined
	const entries = [...words.slice(0, command).map(assignment), ...fromCommand(words.slice(command + 1))]
	return settingsOf(entries)
}

/** Fields of the form by the options of the clients and the parameters of URLs, in lower case without `-` and `_`. */
const fields = new Map(
	Object.entries({
		host: 'host',
		h: 'host',
		port: 'port',
		// Of a command, `-P` is the port and `-p` the password.
		P: 'port',
		p: 'password',
		user: 'username',
		u: 'username',
		password: 'password',
		database: 'database',
		D: 'database',
		socket: 'socketPath',
		S: 'socketPath',
		sslmode: 'sslMode',
		connecttimeout: 'connectTimeoutSeconds',
	}),
)

/** The values of `sslMode` in URLs of JDBC. */
const jdbcModes: Readonly<Record<string, string>> = {
	DISABLE: 'DISABLED',
	TRUST: 'REQUIRED',
	VERIFY_FULL: 'VERIFY_IDENTITY',
}

type Entry = readonly [word: string, value: string]

const assignment = (word: string): Entry => {
	const [, name = '', value = ''] = /^MYSQL_(\w+?)=(.*)$/s.exec(word) ?? []
	const known: Readonly<Record<string, string>> = { PWD: 'password', HOST: 'host', TCP_PORT: 'port' }
	return [known[name] ?? '', value]
}

function settingsOf(entries: Iterable<Entry>): Settings | undefined {
	const settings: Record<string, string | number> = {}
	for (const [word, value] of entries) {
		const field = fields.get(word) ?? fields.get(word.toLowerCase().replace(/[-_]/g, ''))
		if (field === undefined || value === '') continue
		const isNumber = field === 'port' || field === 'connectTimeoutSeconds'
		if (isNumber && !/^\d+$/.test(value)) continue
		if (field === 'sslMode') {
			const upper = value.toUpperCase().replaceAll('-', '_')
			const mode = sslModes.find(mode => mode === (jdbcModes[upper] ?? upper))
			if (mode !== undefined) settings[field] = mode
		} else settings[field] = isNumber ? Number(value) : value
	}
	return Object.keys(settings).length === 0 ? undefined : settings
}

function fromUrl(text: string): Settings | undefined {
	// Several hosts are tried in turn by some clients; the first one is taken.
	const [, user = '', hosts = '', path = '', query = ''] =
		/^[\w+]+:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? []
	const [name = '', ...secret] = user.split(':')
	const [first = ''] = hosts.split(',')
	const [, ipv6, plain = '', port = ''] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(first) ?? []
	const parameters = [...new URLSearchParams(query).entries()].filter(([word]) => word.length > 1)
	return settingsOf([
		['host', decoded(ipv6 ?? plain)],
		['port', port],
		['user', decoded(name)],
		['password', decoded(secret.join(':'))],
		['database', decoded(path)],
		...parameters,
	])
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}

/** Words of a shell, with quotes taken off. */
const wordsOf = (line: string) =>
	[...line.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
		word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) =>
			String(single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped),
		),
	)

function fromCommand(words: readonly string[]): readonly Entry[] {
	const entries: Entry[] = []
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? ''
		const [, long, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
		const [, short, joined = ''] = /^-(\w)(.*)$/s.exec(word) ?? []
		const name = long ?? short
		// A password is never a separate word: the clients ask for it.
		const isPassword = name === 'p' || name === 'password'
		const isKnown = name !== undefined && (fields.get(name) ?? fields.get(name.replaceAll('-', ''))) !== undefined
		if (name === undefined) entries.push(['database', word])
		else if (isPassword || !isKnown) entries.push([isKnown ? name : '', value ?? joined])
		else entries.push([name, value ?? (joined || words[++at] || '')])
	}
	return entries
}
