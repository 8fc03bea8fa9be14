import { type Args, NotRunnable, type Request, type RequestOf } from './requests.ts'
import type { Step, YamlCase } from './suite.ts'

/** Runs the steps of a case against an engine, by whatever sends its requests. */

export interface Answer {
	readonly status: number
	readonly text: string
}

export type Send = (request: Request) => Promise<Answer>

/** A step did not hold. */
class NotHeld extends Error {}

const knownSteps = new Set(['do', 'match', 'length', 'is_true', 'is_false', 'gt', 'gte', 'lt', 'lte', 'set', 'skip'])
const knownFeatures = new Set(['warnings', 'allowed_warnings', 'arbitrary_key', 'headers', 'stash_in_path'])

/** @throws NotRunnable, NotHeld */
export async function runCase(
	{ setup, steps, teardown }: YamlCase,
	{ send, requestOf, version }: { readonly send: Send; readonly requestOf: RequestOf; readonly version: string },
): Promise<void> {
	const all = [...setup, ...steps]
	for (const step of all) requireRunnable(step, version)
	const stash = new Map<string, unknown>()
	let last: unknown
	const run = async (step: Step) => {
		const [[name = '', value] = []] = Object.entries(step)
		if (name === 'do') last = await request(resolved(value, stash) as Args)
		else if (name === 'set')
			for (const [path, key] of Object.entries(value as Args)) stash.set(String(key), valueAt(last, path, stash))
		else if (name !== 'skip') check(name, value)
	}
	const request = async ({ catch: wanted, headers: _, warnings: _w, allowed_warnings: _a, ...call }: Args) => {
		const [[name = '', args] = []] = Object.entries(call)
		const answer = await send(await requestOf(name, (args ?? {}) as Args))
		const { ignore } = (args ?? {}) as Args
		const ignored = (Array.isArray(ignore) ? ignore : [ignore]).map(Number).includes(answer.status)
		const isError = answer.status >= 400 && !ignored
		// Such a request has no text: its status is its answer.
		const asksExistence = name.includes('exists') || name === 'ping'
		if (isError !== (wanted !== undefined) && !asksExistence)
			throw new NotHeld(`${name} was answered with ${answer.status}: ${answer.text.slice(0, 300)}`)
		if (typeof wanted === 'string' && wanted.startsWith('/') && !patternOf(wanted).test(answer.text))
			throw new NotHeld(`${name} was refused in other words than ${wanted}: ${answer.text.slice(0, 300)}`)
		return asksExistence ? answer.status < 300 : parsed(answer.text)
	}
	function check(name: string, value: unknown): void {
		if (name === 'is_true' || name === 'is_false') {
			const found = valueAt(last, String(value), stash)
			const isSet =
				found !== undefined && found !== null && found !== false && found !== '' && found !== 0 && found !== 'false'
			if (isSet !== (name === 'is_true')) throw new NotHeld(`${name} ${String(value)}: ${JSON.stringify(found)}`)
			return
		}
		for (const [path, raw] of Object.entries(value as Args)) {
			const found = valueAt(last, path, stash)
			const wanted = resolved(raw, stash)
			if (!holds(name, found, wanted))
				throw new NotHeld(`${name} ${path}: ${JSON.stringify(wanted)} is ${JSON.stringify(found)?.slice(0, 300)}`)
		}
	}
	try {
		for (const step of all) await run(step)
	} finally {
		for (const step of teardown) await run(step).catch(() => {})
	}
}

function requireRunnable(step: Step, version: string): void {
	const [[name = '', value] = []] = Object.entries(step)
	if (!knownSteps.has(name)) throw new NotRunnable(`step ${name}`)
	if (name !== 'skip') return
	const { version: range, features = [] } = value as {
		readonly version?: string
		readonly features?: string | string[]
	}
	const unknown = [features].flat().find(feature => !knownFeatures.has(feature))
	if (unknown !== undefined) throw new NotRunnable(`feature ${unknown}`)
	if (range === undefined) return
	if (range === 'all') throw new NotRunnable('skipped by its author')
	for (const part of range.split(',')) {
		const [from = '', to = ''] = part.split('-').map(end => end.trim())
		if (rankOf(version) >= rankOf(from) && (to === '' || rankOf(version) <= rankOf(to)))
			throw new NotRunnable(`not for ${version}`)
	}
}

/** Returns a number that orders versions, also of two or one parts. */
function rankOf(version: string): number {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
	return major * 1e6 + minor * 1e3 + patch
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return text
	}
}

/** Returns a value with the stashed values in place of their names. */
function resolved(value: unknown, stash: ReadonlyMap<string, unknown>): unknown {
	if (typeof value === 'string') {
		if (/^\$\{?\w+\}?$/.test(value)) return stash.get(value.replace(/[${}]/g, '')) ?? value
		return value.replace(/\$\{(\w+)\}/g, (whole, name) => (stash.has(name) ? String(stash.get(name)) : whole))
	}
	if (Array.isArray(value)) return value.map(item => resolved(item, stash))
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, stash)]))
}

/** Returns the value at a path such as `hits.hits.0._source`. A dot of a name is written `\.`. */
function valueAt(document: unknown, path: string, stash: ReadonlyMap<string, unknown>): unknown {
	if (path === '' || path === '$body') return document
	if (/^\$\w+$/.test(path)) return resolved(path, stash)
	const names = path.replace(/^\$body\./, '').split(/(?<!\\)\./)
	return names.reduce<unknown>((value, raw) => {
		if (value === undefined || value === null || typeof value !== 'object') return undefined
		const name = String(resolved(raw.replaceAll('\\.', '.'), stash))
		return name === '_arbitrary_key_' ? Object.keys(value)[0] : (value as Args)[name]
	}, document)
}

function holds(name: string, found: unknown, wanted: unknown): boolean {
	if (name === 'match') {
		if (typeof wanted === 'string' && /^\s*\/[\s\S]*\/\s*$/.test(wanted))
			return patternOf(wanted).test(typeof found === 'string' ? found : JSON.stringify(found))
		return same(found, wanted)
	}
	if (name === 'length')
		return (
			(typeof found === 'string' || Array.isArray(found) ? found.length : Object.keys(found ?? {}).length) ===
			Number(wanted)
		)
	const [left, right] = [Number(found), Number(wanted)]
	return { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[name] ?? false
}

/** The patterns are those of Java with comments and free spaces. */
function patternOf(text: string): RegExp {
	const inner = text.trim().slice(1, -1)
	const plain = inner
		.split('\n')
		.map(line => line.replace(/(?<!\\)#.*$/, ''))
		.join('')
		.replace(/(?<!\\)\s+/g, '')
	return new RegExp(inner.includes('\n') ? plain : inner.trim(), 's')
}

/** Whether values are equal as the runner of Elasticsearch compares them: numbers by value. */
function same(a: unknown, b: unknown): boolean {
	if (typeof a === 'number' || typeof b === 'number') return Number(a) === Number(b) && a !== null && b !== null
	if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
	const [left, right] = [Object.entries(a), Object.entries(b)]
	return left.length === right.length && left.every(([key, value]) => same(value, (b as Args)[key]))
}
