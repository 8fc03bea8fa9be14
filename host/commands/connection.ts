import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Settings } from '@roundhouse/kit/manifest'
import { oneLine } from '@roundhouse/kit/shown-text'
import { z } from 'zod'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import { withoutControls } from '../../base/terminal-text.ts'
import type { ConnectionChanges, ConnectionDraft, ConnectionView, FileConnection, Progress } from '../api/api.ts'
import type { HostClient } from '../api/client.ts'
import { secretSourceSchema } from '../connections/secret-sources/secret-source.ts'
import { agrees } from './agrees.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'
import { readSsh, type SshFlags } from './ssh-flags.ts'
import { atTerminal, hasTerminal, TerminalDesk } from './terminal-desk.ts'

export interface ConnectionFlags extends SshFlags {
	/** `KEY=VALUE` pairs of the driver's form. */
	readonly set: readonly string[]
	/** Secret settings as one JSON object on stdin: secrets are never arguments. */
	readonly secretsStdin: boolean
	/** `KEY=SOURCE` pairs: where secrets are read at each use. */
	readonly secretFrom: readonly string[]
	/** Use the driver's sample. */
	readonly sample: boolean
	readonly externalAccess?: ConnectionDraft['externalAccess']
	readonly aiPolicy?: ConnectionDraft['aiPolicy']
	readonly safeMode?: ConnectionDraft['safeMode']
	readonly production?: boolean
}

export async function addConnection(
	context: CommandContext,
	{ driverId, name, flags }: { readonly driverId: string; readonly name: string; readonly flags: ConnectionFlags },
): Promise<void> {
	const settings = await readSettings(flags)
	const connection = await withHost(context, async host => {
		await refuseUnfit(host, driverId, flags)
		const secretSources = readSources(flags, {})
		const ssh = readSsh(flags)
		const draft = { name, driverId, settings, secretSources, ssh, isSample: flags.sample, ...policies(flags) }
		return host.call('connections.add', draft)
	})
	print(context, shown(connection), `Added ${connection.name} as ${connection.id}.`)
}

export async function setConnection(
	context: CommandContext,
	{ id, name, flags }: { readonly id: string; readonly name: string | undefined; readonly flags: ConnectionFlags },
): Promise<void> {
	const given = await readSettings(flags)
	const connection = await withHost(context, async host => {
		const before = (await host.call('connections.list', {})).find(connection => connection.id === id)
		if (before) await refuseUnfit(host, before.driverId, flags)
		const settings = Object.keys(given).length > 0 ? { ...before?.settings, ...given } : undefined
		const secretSources = readSources(flags, before?.secretSources)
		const ssh = readSsh(flags, before?.ssh)
		const draft: ConnectionChanges = { name, settings, secretSources, ssh, ...policies(flags) }
		return host.call('connections.update', { id, draft })
	})
	print(context, shown(connection), `Changed ${connection.name}.`)
}

export async function listConnections(context: CommandContext): Promise<void> {
	const connections = await withHost(context, host => host.call('connections.list', {}))
	const lines = connections.map(({ id, name, driverId, externalAccess, aiPolicy }) =>
		[id, name, driverId, `AI: ${externalAccess}, ${aiPolicy}`].join('  '),
	)
	print(
		context,
		connections.map(shown),
		lines.join('\n') || 'No connections yet. Add one with: roundhouse connection add',
	)
}

/** Without secrets: the output can go into a file or a repository. */
export async function exportConnections(context: CommandContext, ids: readonly string[]): Promise<void> {
	const file = await withHost(context, host => host.call('connections.export', ids.length > 0 ? { ids } : {}))
	print(context, file, JSON.stringify(file, null, '\t'))
}

/** Shows what the file has, and asks unless `isAgreed`. What is saved already stays out. */
export async function importConnections(
	context: CommandContext,
	path: string,
	{ isAgreed, takesSecrets }: { readonly isAgreed: boolean; readonly takesSecrets: boolean },
): Promise<void> {
	const file = { text: await readFile(path, 'utf8'), fileName: basename(path) }
	const added = await withHost(context, async host => {
		const { source, connections } = await host.call('connections.readFile', file)
		const chosen = connections.flatMap(({ fault, isSaved }, place) => (fault === undefined && !isSaved ? [place] : []))
		const lines = connections.map(connection => fileLines(connection, takesSecrets).join('\n    '))
		if (!context.json) process.stdout.write(`${withoutControls(`From ${source}:\n${lines.join('\n')}`)}\n\n`)
		if (chosen.length === 0) return []
		if (!isAgreed && !(await agrees(`Import ${chosen.length} of them?`)))
			throw usageError('Nothing was imported. Say --yes to import them.')
		return host.call('connections.importFile', { ...file, chosen, takesSecrets })
	})
	const lines = added.map(({ id, name }) => `Added ${oneLine(name)} as ${id}.`)
	print(context, added.map(shown), lines.join('\n') || 'There is nothing to import.')
}

function fileLines(connection: FileConnection, takesSecrets: boolean): readonly string[] {
	const { name, group, engine, address, ssh, left, hasSecret, isSaved, needsDriver, fault } = connection
	const isOut = isSaved || fault !== undefined
	return [
		[isOut ? '-' : '+', name, engine, address, ...(group ? [`in ${group}`] : [])].join('  '),
		...(ssh === undefined ? [] : [`through SSH: ${ssh}`]),
		...(fault === undefined ? [] : [`not imported: ${fault}`]),
		...(isSaved ? ['not imported: it is there already'] : []),
		...(needsDriver && !isOut ? ['downloads its driver'] : []),
		...(hasSecret && !isOut
			? [takesSecrets ? 'its password is stored' : 'has a password in clear: --with-passwords stores it']
			: []),
		...(left.length > 0 && !isOut ? [`not taken over: ${left.join(', ')}`] : []),
	]
}

export async function removeConnection(context: CommandContext, id: string): Promise<void> {
	await withHost(context, host => host.call('connections.remove', { id }))
	print(context, { id, removed: true }, `Removed ${id} and its secrets.`)
}

export async function testConnection(context: CommandContext, named: string): Promise<void> {
	const desk = hasTerminal() ? new TerminalDesk({ input: process.stdin, output: process.stdout }) : undefined
	const info = await withHost(
		context,
		async host => {
			const id = idOf(await host.call('connections.list', {}), named)
			const sayStep = ({ message }: Progress) =>
				message && process.stderr.write(`  ${withoutControls(oneLine(message))}\n`)
			const test = () => host.call('connections.test', { id }, context.json ? undefined : sayStep)
			return desk && host.version !== undefined ? atTerminal({ host, connection: id, desk }, test) : test()
		},
		desk,
	)
	const notices = info.notices.map(notice => `  ${oneLine(notice)}`)
	print(
		context,
		{ ok: true, ...info },
		[`Connected to ${oneLine(`${info.product} ${info.version}`)}.`, ...notices].join('\n'),
	)
}

interface HiddenChange {
	/** Its id or name. */
	readonly connection: string
	readonly table: string
	readonly hide: readonly string[]
	readonly show: readonly string[]
	/** Whether statements may count and join what is hidden. Default: `false` */
	readonly mayCount?: boolean
}

/** Hides columns of a table from AI clients, or shows them again. */
export async function hideColumns(
	context: CommandContext,
	{ connection, table, hide, show, mayCount = false }: HiddenChange,
): Promise<void> {
	const marks = (columns: readonly string[]) =>
		columns.map(column => ({ table, column, ...(mayCount && { mayCount }) }))
	const { hiddenColumns } = await withHost(context, async host => {
		const id = idOf(await host.call('connections.list', {}), connection)
		return host.call('connections.hideColumns', { id, hide: marks(hide), show: marks(show) })
	})
	print(context, hiddenColumns, hiddenLines(hiddenColumns))
}

export async function listHidden(context: CommandContext, named: string): Promise<void> {
	const hidden = await withHost(context, async host => {
		const connections = await host.call('connections.list', {})
		const id = idOf(connections, named)
		const found = connections.find(connection => connection.id === id)
		if (!found) throw usageError(`There is no connection ${named}.`)
		return found.hiddenColumns
	})
	print(context, hidden, hiddenLines(hidden))
}

/** Prints the text that makes a login without the hidden columns, for a file or a console. */
export async function printLogin(context: CommandContext, named: string): Promise<void> {
	const text = await withHost(context, async host => {
		const id = idOf(await host.call('connections.list', {}), named)
		return host.call('connections.restrictedLogin', { id })
	})
	if (text === null) throw usageError('This engine has no rights on columns.')
	process.stdout.write(text.split('\n').map(withoutControls).join('\n'))
}

const hiddenLines = (hidden: ConnectionView['hiddenColumns']) =>
	hidden
		.map(({ table, column, mayCount }) =>
			oneLine(`${table}  ${column}${mayCount ? '  may be counted and joined' : ''}`),
		)
		.join('\n') || 'No column is hidden from AI clients.'

/** Returns the id of a connection that is named by its id or its name. The host refuses an unknown id. */
export function idOf(connections: readonly ConnectionView[], named: string): string {
	if (connections.some(({ id }) => id === named)) return named
	const ids = connections.flatMap(({ id, name }) => (name.toLowerCase() === named.toLowerCase() ? [id] : []))
	if (ids.length > 1) throw usageError(`Several connections have this name. Use an id: ${ids.join(', ')}`)
	return ids[0] ?? named
}

const shown = ({ state, ...connection }: ConnectionView) => ({ ...connection, state: state.status })

const policies = ({ externalAccess, aiPolicy, safeMode, production }: ConnectionFlags) => ({
	externalAccess,
	aiPolicy,
	safeMode,
	isProduction: production,
})

/** Throws if the driver takes no such tunnel, or if a secret is an argument: all users of the machine can read those. */
async function refuseUnfit(host: HostClient, driverId: string, { set, ssh }: ConnectionFlags): Promise<void> {
	const { offers } = await host.call('drivers.browse', {})
	const manifest = offers.find(({ manifest }) => manifest.id === driverId)?.manifest
	if (ssh && manifest?.takesSsh === false) throw usageError(`${manifest.displayName} takes no SSH tunnel.`)
	const secret = manifest?.form.find(
		({ key, type }) => type === 'secret' && set.some(pair => pair.startsWith(`${key}=`)),
	)
	if (!secret) return
	const example = `printf '{"${secret.key}":"…"}' | roundhouse connection … --secrets-stdin`
	throw usageError(`${secret.label} is a secret, and arguments can be read by everyone. Change it, then: ${example}`)
}

type SecretSources = ConnectionView['secretSources']

/** Returns the sources of a connection with those of the flags, or `undefined` if no flag has one. */
function readSources({ secretFrom }: ConnectionFlags, before: SecretSources = {}): SecretSources | undefined {
	if (secretFrom.length === 0) return undefined
	const sources = new Map(Object.entries(before))
	for (const pair of secretFrom) {
		const [, key = '', from = '', rest = ''] = /^([^=]+)=(\w+)(?::(.*))?$/s.exec(pair) ?? []
		if (from === 'stored') {
			sources.delete(key)
			continue
		}
		const written = {
			command: { from, command: rest },
			variable: { from: 'environment', name: rest },
			file: { from, format: rest },
		}[from]
		const source = secretSourceSchema.safeParse(written)
		if (!source.success)
			throw usageError(
				'--secret-from takes KEY=command:PROGRAM ARGUMENTS, KEY=variable:NAME, KEY=file:FORMAT or KEY=stored.',
			)
		sources.set(key, source.data)
	}
	return Object.fromEntries(sources)
}

async function readSettings({ set, secretsStdin }: ConnectionFlags): Promise<Settings> {
	const settings: Record<string, Settings[string]> = {}
	for (const pair of set) {
		const split = pair.indexOf('=')
		if (split < 1) throw usageError('--set takes KEY=VALUE.')
		settings[pair.slice(0, split)] = pair.slice(split + 1)
	}
	if (!secretsStdin) return settings
	const secrets = z.record(z.string(), z.string()).safeParse(parseJsonOrUndefined(await text(process.stdin)))
	if (!secrets.success)
		throw usageError('--secrets-stdin reads one JSON object of strings, for example {"password":"…"}.')
	return { ...settings, ...secrets.data }
}
