import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityEntry } from '../api/api.ts'
import { printable } from '../mcp/index.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'

/** How often `--follow` reads new entries. */
const followMs = 1000

/** Prints what AI clients did, the latest last; `follow` continues until it is stopped. */
export async function showActivity(context: CommandContext, follow: boolean): Promise<void> {
	let seen = 0
	do {
		const entries = await withHost(context, host => host.call('activity.list', {}))
		const fresh = entries.filter(entry => entry.sequence > seen).reverse()
		for (const entry of fresh) print(context, entry, line(entry))
		if (entries.length === 0 && !follow) print(context, [], 'No AI client has done anything yet.')
		seen = entries[0]?.sequence ?? seen
		if (follow) await sleep(followMs)
	} while (follow)
}

/** Verifies the log's hash chain; fails if a line was altered, removed or moved. */
export async function verifyActivityLog(context: CommandContext): Promise<void> {
	const verdict = await withHost(context, host => host.call('activity.verify', {}))
	if (!verdict.ok) throw usageError(`The activity log was tampered with: ${verdict.fault}.`)
	print(context, verdict, `The activity log is whole: ${verdict.entries} entries.`)
}

function line(entry: ActivityEntry): string {
	const { time, outcome, action, client, token, connection, connectionName, verdict, rows, durationMs } = entry
	const { agreed, detail, text } = entry
	return [
		time,
		outcome.padEnd(9),
		action,
		client,
		token && `(${token})`,
		connectionName ?? connection,
		verdict,
		rows !== undefined && `${rows} rows`,
		durationMs !== undefined && `${durationMs} ms`,
		agreed && `agreed: ${agreed.replaceAll('_', ' ')}`,
		detail,
		text !== undefined && printable(text),
	]
		.filter(Boolean)
		.join('  ')
}
