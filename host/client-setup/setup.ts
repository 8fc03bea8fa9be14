import { lstat, mkdir, readlink, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { diffLines } from 'diff'
import writeFileAtomic from 'write-file-atomic'
import { readIfExists } from '../../base/atomic-file.ts'
import { defineErrors } from '../../base/errors.ts'
import type { AiClient, Bridge } from './clients.ts'
import { type ConfigFormat, UnreadableConfig } from './config-format.ts'

/**
 * Adds Roundhouse to a client's configuration: previews the change, does not change the rest of the file, keeps a
 * backup, and can undo the change.
 */

export const setupErrors = defineErrors('setup', {
	unknown_client: 'The client {client} is not supported. Supported clients: {clients}.',
	unreadable:
		'The configuration of {client}, {path}, was not changed: {reason}. Correct it, or add Roundhouse yourself, with: {entry}',
	not_text:
		'The configuration of {client}, {path}, was not changed: it contains bytes that are not UTF-8 text. Save it as UTF-8, then try again.',
	changed_meanwhile: 'The configuration of {client} has changed since the preview. Check the change again.',
	bridge_failed: 'The bridge does not answer: {reason}',
})

/** A planned change, for the preview. */
export interface SetupPlan {
	readonly client: string
	readonly path: string
	readonly before: string
	readonly after: string
	/** The changed lines for display: `+ …` and `- …`. */
	readonly diff: string
}

const copyOf = (path: string) => `${path}.before-roundhouse`
/**
 * An empty file that stands for the backup of a file that did not exist. Only a file with this mark is removed with the
 * entry: a file that was empty before stays.
 */
const absenceOf = (path: string) => `${path}.made-by-roundhouse`

/** Plans the installation. `before` equals `after` if it is already installed. @throws HostError `setup/unreadable` */
export async function planInstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client)
	return plan(
		client,
		before,
		edited({ client, bridge, before }, format =>
			format.write(withoutBom(before), client.entryPath, client.entry(bridge)),
		),
	)
}

/**
 * Plans the removal. Restores the backup if nothing else has changed since. Else removes the entry and the section or
 * file that was created for it, or restores an earlier entry of the user with the same name. @throws HostError
 * `setup/unreadable`
 */
export async function planUninstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client)
	const copy = (await readIfExists(copyOf(client.path))) ?? (await readIfExists(absenceOf(client.path)))
	const { entryPath } = client
	const after = edited({ client, bridge, before }, format => {
		const entry = format.read(withoutBom(before), entryPath)
		if (entry === undefined) return withoutBom(before)
		const earlier = earlierState(format, client, copy)
		if (earlier && format.write(earlier.text, entryPath, entry) === withoutBom(before)) return earlier.text
		if (earlier?.entry !== undefined) return format.write(withoutBom(before), entryPath, earlier.entry)
		const made = {
			section: earlier !== undefined && !format.hasSection(earlier.text, entryPath),
			file: earlier?.text === '',
		}
		return format.remove(withoutBom(before), entryPath, made)
	})
	return plan(client, before, after)
}

/** Applies a planned change. @throws HostError `setup/changed_meanwhile` */
export async function apply(client: AiClient, planned: SetupPlan, kind: 'install' | 'uninstall'): Promise<void> {
	const exists = (await readIfExists(client.path)) !== undefined
	const now = await textOf(client)
	if (now !== planned.before) throw setupErrors.make('changed_meanwhile', { client: client.name })
	const [copy, absence] = [copyOf(client.path), absenceOf(client.path)]
	const wasAbsent = (await readIfExists(absence)) !== undefined
	if (planned.before !== planned.after) {
		const target = await targetOf(client.path)
		await mkdir(dirname(target), { recursive: true })
		// A second installation keeps the backup of the first one.
		if (kind === 'install' && !wasAbsent && !(await readIfExists(copy))) {
			await mkdir(dirname(copy), { recursive: true })
			await writeFileAtomic(exists ? copy : absence, now, { mode: 0o600 })
		}
		if (planned.after === '' && wasAbsent) await rm(target, { force: true })
		else await writeFileAtomic(target, planned.after, { mode: await modeOf(target) })
	}
	if (kind === 'uninstall') await Promise.all([copy, absence].map(path => rm(path, { force: true })))
}

/**
 * Returns the file before the first installation, with an earlier entry of the same name, if the backup can be read.
 */
function earlierState(format: ConfigFormat, client: AiClient, copy: Buffer | undefined) {
	if (!copy) return undefined
	try {
		const text = withoutBom(decoded(client, copy))
		return { text, entry: format.read(text, client.entryPath) }
	} catch (error) {
		if (setupErrors.is(error, 'not_text')) return undefined
		if (error instanceof UnreadableConfig) return undefined
		throw error
	}
}

/** @throws HostError `setup/unreadable` */
function edited(
	{ client, bridge, before }: { readonly client: AiClient; readonly bridge: Bridge; readonly before: string },
	edit: (format: ConfigFormat) => string,
): string {
	try {
		const text = edit(client.format)
		return text === '' ? '' : bomOf(before) + text
	} catch (error) {
		if (!(error instanceof UnreadableConfig)) throw error
		const entry = client.format.write('', client.entryPath, client.entry(bridge))
		throw setupErrors.make('unreadable', { client: client.name, path: client.path, reason: error.message, entry })
	}
}

const byteOrderMark = '\uFEFF'
const bomOf = (text: string) => (text.startsWith(byteOrderMark) ? byteOrderMark : '')
const withoutBom = (text: string) => text.slice(bomOf(text).length)

/** Returns the target of a path with symbolic links, even if it does not exist, so that a user's link stays a link. */
async function targetOf(path: string): Promise<string> {
	let target = path
	// The limit of Linux.
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

async function textOf(client: AiClient): Promise<string> {
	const bytes = await readIfExists(client.path)
	return bytes ? decoded(client, bytes) : ''
}

/** Decodes UTF-8 strictly, because invalid bytes would not be restored. @throws HostError `setup/not_text` */
function decoded({ name, path }: AiClient, bytes: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
	} catch (error) {
		throw setupErrors.make('not_text', { client: name, path }, { cause: error })
	}
}

/** Returns the mode of an existing file. A new one is readable only by the user, because such files contain secrets. */
async function modeOf(path: string): Promise<number> {
	return (await stat(path).catch(() => undefined))?.mode ?? 0o600
}

/** Returns the changed lines, each with its sign. */
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
