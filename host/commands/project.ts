import { resolve } from 'node:path'
import { oneLine } from '@roundhouse/kit/shown-text'
import { withoutControls } from '../../base/terminal-text.ts'
import type { ProjectEntry, ProjectView } from '../api/api.ts'
import { agrees } from './agrees.ts'
import { idOf } from './connection.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'

/** Shows what the `roundhouse.json` of a folder does, and asks unless the user agreed to this text before. */
export async function openProject(
	context: CommandContext,
	path: string,
	{ isAgreed }: { readonly isAgreed: boolean },
): Promise<void> {
	const opened = await withHost(context, async host => {
		const project = await host.call('projects.read', { folder: resolve(path) })
		if (!context.json) process.stdout.write(`${withoutControls(projectLines(project).join('\n'))}\n\n`)
		if (!isAgreed && !project.isAgreed && !(await agrees('Open this project?')))
			throw usageError('The project was not opened. Say --yes to open it.')
		return host.call('projects.open', { folder: project.folder, digest: project.digest })
	})
	print(context, opened, opened.map(({ id, name }) => `${oneLine(name)} is ${id}.`).join('\n') || 'Nothing was opened.')
}

/** Writes connections into the `roundhouse.json` of a folder. */
export async function saveProject(
	context: CommandContext,
	path: string,
	{ connections, statements }: { readonly connections: readonly string[]; readonly statements?: string },
): Promise<void> {
	const saved = await withHost(context, async host => {
		const all = await host.call('connections.list', {})
		const ids = connections.map(named => idOf(all, named))
		return host.call('projects.write', { folder: resolve(path), ids, requests: statements })
	})
	const lines = saved.written.map(({ name, left }) => {
		const rest = left.length > 0 ? ` What stays on this machine: ${left.map(oneLine).join(', ')}.` : ''
		return `Wrote ${oneLine(name)}.${rest}`
	})
	print(context, saved, lines.join('\n'))
}

const projectLines = ({ folder, entries, requests, gone }: ProjectView): readonly string[] => [
	`Project in ${oneLine(folder)}:`,
	...entries.map(entry => entryLines(entry).join('\n    ')),
	...(requests === undefined ? [] : [`Statements: ${requests}`]),
	...gone.map(name => `${oneLine(name)} is no longer in the file, and stays.`),
]

const changes = { new: '+', joined: '=', changed: '~', same: ' ' } as const

function entryLines(entry: ProjectEntry): readonly string[] {
	const { name, engine, address, ssh, change, values, hides, isStricter, needsDriver, forgetsSecrets, fault } = entry
	const way = ssh === undefined ? [] : [`through SSH: ${ssh}`]
	const head = [fault === undefined ? changes[change] : '-', name, engine, address, ...way].join('  ')
	if (fault !== undefined) return [head, `left out: ${fault}`]
	return [
		head,
		...(change === 'joined' ? ['you have this connection; it becomes that of the project'] : []),
		...values.map(({ label, value, before }) =>
			before === undefined ? `${label}: ${value}` : `${label}: ${before || 'empty'} becomes ${value || 'empty'}`,
		),
		...(forgetsSecrets ? ['it leads elsewhere, so its stored secrets are removed'] : []),
		...hides.map(({ table, column }) => `hidden from AI clients: ${oneLine(`${table}  ${column}`)}`),
		...(isStricter ? ['writes of persons are asked for or refused from now on'] : []),
		...(needsDriver ? ['downloads its driver'] : []),
	]
}
