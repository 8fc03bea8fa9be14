import type { WorkspaceRecords } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'

type Value = WorkspaceRecords[string]

/**
 * What the person is working on, kept by the host as records: read once, each written soon after it changed and at once
 * when the window is hidden, and heard of where another window wrote it.
 */
export interface Records {
	get(key: string): Value | undefined
	/** `null` lets go of it. */
	set(key: string, value: Value): void
	/** Sets it, and tells this window too: for a part that is open already. */
	put(key: string, value: Value): void
	/** The keys that begin so. */
	keys(prefix: string): readonly string[]
	/** Calls back when another window wrote it. */
	onChange(key: string, listener: (value: Value) => void): () => void
	/** Sends what waits. @returns whether something of it would be lost with the window */
	flush(): boolean
	/** Settles when the host has what waits, and what other windows wrote before is known here. */
	settle(): Promise<void>
}

/** Typing changes a record many times a second. */
const restMs = 250

export async function loadRecords(host: HostConnection): Promise<Records> {
	// A window that forgot where it was is better than none; it writes nothing over what it could not read.
	const read = await host.call('workspace.read', {}).catch(() => undefined)
	const writer = crypto.randomUUID()
	const values = new Map<string, Value>(Object.entries(read ?? {}))
	const listeners = new Map<string, Set<(value: Value) => void>>()
	const waiting = new Map<string, ReturnType<typeof setTimeout>>()
	/** How many writes of a record are on their way. */
	const sent = new Map<string, number>()
	const writes = new Set<Promise<void>>()
	/** What the host did not take. */
	const failed = new Set<string>()
	let isLost = false
	host.onLost(() => {
		isLost = true
	})
	host.onBack(() => {
		isLost = false
		flush()
	})

	function keep(key: string, value: Value): void {
		if (value === null) values.delete(key)
		else values.set(key, value)
	}

	function write(key: string): void {
		const writing = send(key).finally(() => writes.delete(writing))
		writes.add(writing)
	}

	async function send(key: string): Promise<void> {
		clearTimeout(waiting.get(key))
		waiting.delete(key)
		const value = values.get(key) ?? null
		sent.set(key, (sent.get(key) ?? 0) + 1)
		try {
			await host.call('workspace.write', { key, value, writer })
			failed.delete(key)
		} catch {
			// The host is gone, or its disk is full: leaving asks, and the next change tries again.
			failed.add(key)
		} finally {
			const left = (sent.get(key) ?? 1) - 1
			if (left > 0) sent.set(key, left)
			else sent.delete(key)
		}
	}

	function flush(): boolean {
		const hasWaiting = waiting.size > 0
		for (const key of [...waiting.keys(), ...failed]) write(key)
		return failed.size > 0 || (isLost && hasWaiting)
	}
	document.addEventListener('visibilitychange', () => document.hidden && flush())
	addEventListener('pagehide', flush)
	host.on('workspace.changed', change => {
		// What is typed here, or on its way, comes after it: the host answers in the order in which it writes.
		if (change.writer === writer || waiting.has(change.key) || sent.has(change.key)) return
		keep(change.key, change.value)
		tell(change.key, change.value)
	})

	function set(key: string, value: Value): void {
		if (isSame(values.get(key) ?? null, value)) return
		keep(key, value)
		if (!read) return
		clearTimeout(waiting.get(key))
		waiting.set(key, setTimeout(write, restMs, key))
	}
	const tell = (key: string, value: Value) => {
		for (const listener of listeners.get(key) ?? []) listener(value)
	}

	return {
		get: key => values.get(key),
		set,
		put(key, value) {
			set(key, value)
			tell(key, value)
		},
		keys: prefix => [...values.keys()].filter(key => key.startsWith(prefix)),
		onChange: (key, listener) => {
			const all = listeners.get(key) ?? new Set()
			listeners.set(key, all.add(listener))
			return () => all.delete(listener)
		},
		flush,
		async settle() {
			flush()
			await Promise.all(writes)
			// The host tells of what it wrote before it answers what was asked after that.
			await host.call('preferences.read', {}).catch(() => {})
		},
	}
}

/** A text may be long, and is set with each key that is typed in it. */
function isSame(one: Value, other: Value): boolean {
	if (typeof one !== 'object' || typeof other !== 'object') return one === other
	return JSON.stringify(one) === JSON.stringify(other)
}
