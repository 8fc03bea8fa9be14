import { lstat, mkdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { diffLines } from 'diff'
import writeFileAtomic from 'write-file-atomic'
import { readIfThere } from '../base/atomic-file.ts'
import { defineErrors } from '../base/errors.ts'
import type { AiClient, Bridge } from './clients.ts'
import { type ConfigForm, UnreadableConfig } from './config-form.ts'

/**
 * Writes our entry into a client's configuration: shows the change first, keeps the rest of the file byte for byte,
 * keeps a copy of what was there, and can take it all back.
 */

export const setupErrors = defineErrors('setup', {
	unknown_client: 'There is no client {client}. There are: {clients}.',
	unreadable:
		'The configuration of {client}, {path}, was left as it is: {reason}. Mend it, or add Roundhouse to it yourself, with: {entry}',
	changed_meanwhile: 'The configuration of {client} changed while you looked. Look at the change again.',
	bridge_failed: 'The bridge does not answer: {reason}',
})

/** A change that was looked at and not made yet. */
export interface SetupPlan {
	readonly client: string
	readonly path: string
	readonly before: string
	readonly after: string
	/** The lines that change, as a person reads them: `+ …` and `- …`. */
	readonly diff: string
}

const copyOf = (path: string) => `${path}.before-roundhouse`

/** What installing would change; `before` equals `after` where it is done already. @throws HostError `setup/unreadable` */
export async function planInstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client.path)
	return plan(
		client,
		before,
		edited(client, bridge, before, form => form.write(bare(before), client.place, client.entry(bridge))),
	)
}

/**
 * What taking it back would change: the copy where nobody else wrote since, else our entry alone, with what was made to
 * hold it. @throws HostError `setup/unreadable`
 */
export async function planUninstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client.path)
	const copy = (await readIfThere(copyOf(client.path)))?.toString('utf8')
	const { place } = client
	const after = edited(client, bridge, before, form => {
		const entry = form.read(bare(before), place)
		if (entry === undefined) return bare(before)
		const ours = original(form, client, copy)
		if (ours !== undefined && form.write(ours, place, entry) === bare(before)) return ours
		const made = { section: ours !== undefined && !form.hasSection(ours, place), file: ours === '' }
		return form.remove(bare(before), place, made)
	})
	return plan(client, before, after)
}

/** Makes a change that was looked at. @throws HostError `setup/changed_meanwhile` */
export async function apply(client: AiClient, planned: SetupPlan, kind: 'install' | 'uninstall'): Promise<void> {
	const now = await textOf(client.path)
	if (now !== planned.before) throw setupErrors.make('changed_meanwhile', { client: client.name })
	const copy = copyOf(client.path)
	if (planned.before !== planned.after) {
		const target = await targetOf(client.path)
		await mkdir(dirname(target), { recursive: true })
		// The copy of a second time would hold what we wrote the first time.
		if (kind === 'install' && !(await readIfThere(copy))) {
			await mkdir(dirname(copy), { recursive: true })
			await writeFileAtomic(copy, now, { mode: 0o600 })
		}
		if (planned.after === '') await rm(target, { force: true })
		else await writeFileAtomic(target, planned.after, { mode: await modeOf(target) })
	}
	if (kind === 'uninstall') await rm(copy, { force: true })
}

/** What was there before us, if that can be read and holds nothing of ours. */
function original(form: ConfigForm, { place }: AiClient, copy: string | undefined): string | undefined {
	try {
		return copy !== undefined && form.read(bare(copy), place) === undefined ? bare(copy) : undefined
	} catch (error) {
		if (error instanceof UnreadableConfig) return undefined
		throw error
	}
}

/** @throws HostError `setup/unreadable` */
function edited(client: AiClient, bridge: Bridge, before: string, edit: (form: ConfigForm) => string): string {
	try {
		const text = edit(client.form)
		return text === '' ? '' : markOf(before) + text
	} catch (error) {
		if (!(error instanceof UnreadableConfig)) throw error
		const entry = client.form.write('', client.place, client.entry(bridge))
		throw setupErrors.make('unreadable', { client: client.name, path: client.path, reason: error.message, entry })
	}
}

const byteOrderMark = '\uFEFF'
const markOf = (text: string) => (text.startsWith(byteOrderMark) ? byteOrderMark : '')
const bare = (text: string) => text.slice(markOf(text).length)

/** Where a path leads by its links, also where nothing is yet: a link that a person made stays one. */
async function targetOf(path: string): Promise<string> {
	let target = path
	// As many as Linux follows.
	for (let links = 0; links < 40; links++) {
		const found = await lstat(target).catch(() => undefined)
		if (!found?.isSymbolicLink()) break
		target = resolve(dirname(target), await readlink(target))
	}
	return target
}

function plan(client: AiClient, before: string, after: string): SetupPlan {
	return { client: client.id, path: client.path, before, after, diff: changedLines(before, after) }
}

async function textOf(path: string): Promise<string> {
	return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return ''
		throw error
	})
}

/** A file that is there keeps its mode; a new one is the person's alone, for such files hold secrets. */
async function modeOf(path: string): Promise<number> {
	return (await stat(path).catch(() => undefined))?.mode ?? 0o600
}

/** The lines that change, each with its sign. */
function changedLines(before: string, after: string): string {
	const signed = (sign: string, text: string) =>
		text
			.split('\n')
			.filter(Boolean)
			.map(line => `${sign} ${line}`)
	return diffLines(before, after)
		.flatMap(({ added, removed, value }) => (added || removed ? signed(added ? '+' : '-', value) : []))
		.join('\n')
}
