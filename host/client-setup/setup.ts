import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { diffLines } from 'diff'
import { applyEdits, findNodeAtLocation, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser'
import writeFileAtomic from 'write-file-atomic'
import { readIfThere } from '../base/atomic-file.ts'
import { defineErrors } from '../base/errors.ts'
import type { AiClient, Bridge } from './clients.ts'

/**
 * Writes our entry into a client's configuration: shows the change first, keeps the rest of the file byte for byte,
 * keeps a copy of what was there, and can take it all back.
 */

export const setupErrors = defineErrors('setup', {
	unknown_client: 'There is no client {client}. There are: {clients}.',
	not_json: 'The configuration of {client}, {path}, is not JSON: it was left as it is. Mend it, then try again.',
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

/** What installing would change; `before` equals `after` where it is done already. @throws HostError `setup/not_json` */
export async function planInstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client.path)
	const tree = parse(client, before || '{}')
	const entry = client.entry(bridge)
	const node = tree && findNodeAtLocation(tree, [...client.place])
	const isDone = node !== undefined && isDeepStrictEqual(structuredClone(getNodeValue(node)), entry)
	return plan(client, before, isDone ? before : edited(before || '{}', client.place, entry))
}

/** What taking it back would change: the copy where nobody else wrote since, else our entry alone. */
export async function planUninstall(client: AiClient, bridge: Bridge): Promise<SetupPlan> {
	const before = await textOf(client.path)
	const copy = await readIfThere(copyOf(client.path))
	if (copy && (await isOurs(client, bridge, before, copy.toString('utf8'))))
		return plan(client, before, copy.toString('utf8'))
	const tree = before === '' ? undefined : parse(client, before)
	const isThere = tree !== undefined && findNodeAtLocation(tree, [...client.place]) !== undefined
	return plan(client, before, isThere ? edited(before, client.place, undefined) : before)
}

/** Makes a change that was looked at. @throws HostError `setup/changed_meanwhile` */
export async function apply(client: AiClient, planned: SetupPlan, kind: 'install' | 'uninstall'): Promise<void> {
	const now = await textOf(client.path)
	if (now !== planned.before) throw setupErrors.make('changed_meanwhile', { client: client.name })
	if (planned.before === planned.after) return
	if (kind === 'install') {
		await mkdir(dirname(client.path), { recursive: true })
		await writeFileAtomic(copyOf(client.path), now, { mode: 0o600 })
	}
	if (planned.after === '') await rm(client.path, { force: true })
	else await writeFileAtomic(client.path, planned.after, { mode: await modeOf(client.path) })
	if (kind === 'uninstall') await rm(copyOf(client.path), { force: true })
}

async function isOurs(client: AiClient, bridge: Bridge, now: string, copy: string): Promise<boolean> {
	return now === edited(copy || '{}', client.place, client.entry(bridge))
}

/**
 * The text with a value at a place, or without it. Where the edit goes is the library's word; its own formatting is not
 * used, for it also formats what stands beside.
 */
function edited(text: string, place: readonly string[], value: unknown): string {
	const tree = parseTree(text)
	const isThere = (depth: number) => tree !== undefined && findNodeAtLocation(tree, place.slice(0, depth)) !== undefined
	let depth = 0
	while (depth < place.length && isThere(depth + 1)) depth++
	const eol = text.includes('\r\n') ? '\r\n' : '\n'
	const unit = /^\t/m.test(text) ? '\t' : '  '
	const written = (part: unknown, level: number) =>
		JSON.stringify(part, null, unit).replaceAll('\n', eol + unit.repeat(level))
	if (value === undefined) return applyEdits(text, modify(text, [...place], undefined, {}))
	if (depth === place.length) {
		const [replacement] = modify(text, [...place], value, {})
		return replacement ? applyEdits(text, [{ ...replacement, content: written(value, depth) }]) : text
	}
	const key = place[depth] ?? ''
	const nested = place.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value)
	const edits = modify(text, place.slice(0, depth + 1), nested, {})
	return applyEdits(
		text,
		edits.map(edit => {
			const follows = edit.content.startsWith(',')
			const line = `${eol}${unit.repeat(depth + 1)}"${key}": ${written(nested, depth + 1)}`
			return { ...edit, content: follows ? `,${line}` : `${line}${eol}${unit.repeat(depth)}` }
		}),
	)
}

function parse(client: AiClient, text: string) {
	const faults: ParseError[] = []
	const tree = parseTree(text, faults, { allowTrailingComma: true })
	if (faults.length > 0 || tree?.type !== 'object') {
		throw setupErrors.make('not_json', { client: client.name, path: client.path })
	}
	return tree
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
