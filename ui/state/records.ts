import type { WorkspaceRecords } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'

type Value = WorkspaceRecords[string]

/**
 * The user's work, stored by the host as records: read once, written soon after a change and at once when the window is
 * hidden, and updated when another window writes.
 */
export interface Records {
	/** A name of this window among those that share the records. Another page has another one. */
	readonly window: string
	get(key: string): Value | undefined
	/** `null` deletes it. */
	set(key: string, value: Value): void
	/** Sets it and notifies this window too, for parts that are open. */
	put(key: string, value: Value): void
	keys(prefix: string): readonly string[]
	/** Until the returned function is called, other windows do not change it here. */
	own(key: string): () => void
	/** Subscribes to changes by other windows. */
	onChange(key: string, listener: (value: Value) => void): () => void
	/** Sends what is pending. @returns whether something would be lost with the window */
	flush(): boolean
	/** Settles when the host has what was pending, and earlier changes of other windows are known here. */
	settle(): Promise<void>
}

/** Typing changes a record many times a second. */
const debounceMs = 250

export async function loadRecords(host: HostConnection): Promise<Records> {
	// A window that does not know its records still works, and does not overwrite what it could not read.
	const read = await host.call('workspace.read', {}).catch(() => undefined)
	const writer = crypto.randomUUID()
	const values = new Map<string, Value>(Object.entries(read ?? {}))
	const listeners = new Map<string, Set<(value: Value) => void>>()
	const owned = new Set<string>()
	const waiting = new Map<string, ReturnType<typeof setTimeout>>()
	/** Number of writes under way, by record. */
	const sent = new Map<string, number>()
	const writes = new Set<Promise<void>>()
	/** What the host did not accept. */
	const failed = new Set<string>()
	let isLost = false
	host.onLost(() => {
		isLost = true
	})
	host.onReconnected(() => {
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
			// The host is gone or its disk is full: closing asks, and the next change retries.
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
		// Local changes are newer, because the host answers in the order of its writes.
		if (change.writer === writer || waiting.has(change.key) || sent.has(change.key)) return
		if (owned.has(change.key)) return
		keep(change.key, change.value)
		tell(change.key, change.value)
	})

	function set(key: string, value: Value): void {
		if (isSame(values.get(key) ?? null, value)) return
		keep(key, value)
		if (!read) return
		clearTimeout(waiting.get(key))
		waiting.set(key, setTimeout(write, debounceMs, key))
	}
	const tell = (key: string, value: Value) => {
		for (const listener of listeners.get(key) ?? []) listener(value)
	}

	return {
		window: writer,
		get: key => values.get(key),
		set,
		put(key, value) {
			set(key, value)
			tell(key, value)
		},
		own(key) {
			owned.add(key)
			return () => void owned.delete(key)
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
			// The host reports its earlier writes before it answers this call.
			await host.call('preferences.read', {}).catch(() => {})
		},
	}
}

/** A long text is set at each key. */
function isSame(one: Value, other: Value): boolean {
	if (typeof one !== 'object' || typeof other !== 'object') return one === other
	return JSON.stringify(one) === JSON.stringify(other)
}
