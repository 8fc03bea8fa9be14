import { optionValue } from '../secret-sources/password-file.ts'
import { plain, tlsOf } from './address-parts.ts'
import { connectionOf, type ForeignConnection, unfit } from './foreign-connection.ts'

/** Files of groups (`[name]`) with a line for each option. */

type Groups = ReadonlyMap<string, ReadonlyMap<string, string>>

const longestLine = 2_000

/** Returns the groups of a text. Options are without case, hyphens and underscores. */
export function groupsOf(text: string, { isStrict }: { readonly isStrict: boolean }): Groups {
	const groups = new Map<string, Map<string, string>>()
	let options: Map<string, string> | undefined
	for (const [index, written] of text.split(/\r?\n/).entries()) {
		const line = written.trim()
		if (line.length > longestLine) throw unfit(`Line ${index + 1} is longer than ${longestLine} characters.`)
		if (line === '' || /^[#;!]/.test(line)) continue
		const [, group] = /^\[([^\]]+)\]/.exec(line) ?? []
		if (group !== undefined) {
			options = groups.get(group.trim()) ?? new Map()
			groups.set(group.trim(), options)
			continue
		}
		const [, name, value = ''] = /^([\w.-]+)\s*(?:=\s*(.*))?$/.exec(line) ?? []
		if (name !== undefined && (!isStrict || line.includes('='))) options?.set(plain(name), value)
		else throw unfit(`Line ${index + 1} has no option.`)
	}
	return groups
}

/** `pg_service.conf`: https://www.postgresql.org/docs/current/libpq-pgservice.html. A group is a service. */
export function readServiceFile(groups: Groups): readonly ForeignConnection[] {
	return [...groups].map(([name, options]) =>
		connectionOf({
			name,
			engines: [],
			passwordFile: 'pgpass',
			host: options.get('host') || options.get('hostaddr') || 'localhost',
			port: options.get('port'),
			database: options.get('dbname'),
			user: options.get('user'),
			tls: tlsOf(options),
			secrets: { password: options.get('password') },
			left: [
				options.has('passfile') && 'the password file',
				[...options.keys()].some(key => /^ssl.*cert|^sslkey/.test(key)) && 'certificates',
				options.has('options') && 'options of the session',
			],
		}),
	)
}

/**
 * `~/.my.cnf`: https://mariadb.com/kb/en/configuring-mariadb-with-option-files/. All clients read the group `client`, and
 * with a suffix another one besides. Files that it includes are not read.
 */
export function readOptionFile(groups: Groups): readonly ForeignConnection[] {
	const common = groups.get('client') ?? new Map<string, string>()
	return [...groups]
		.filter(([name]) => name.startsWith('client'))
		.map(([name, own]) => {
			const options = new Map([...common, ...own].map(([key, value]) => [key, optionValue(value)]))
			const port = options.get('port')
			return connectionOf({
				name: name === 'client' ? options.get('host') || name : name.replace(/^client[-_]?/, ''),
				engines: [],
				passwordFile: 'my.cnf',
				host: options.get('host') || 'localhost',
				port,
				socketPath: options.get('socket'),
				database: options.get('database'),
				user: options.get('user'),
				tls: options.has('sslverifyservercert') ? 'verify-full' : tlsOf(options),
				secrets: { password: options.get('password') },
				left: [
					['sslca', 'sslcert', 'sslkey'].some(key => options.has(key)) && 'certificates',
					options.has('defaultauth') && 'the plugin for the sign-in',
				],
			})
		})
}
