import type { Session } from '../connections/session.ts'

interface OpenConsole {
	readonly session: Session
	readonly handle: number
}

/**
 * The engine sessions of one caller's consoles, by connection and the caller's number. A console whose connection was
 * opened again gets a new one.
 */
export class ConsoleSessions {
	static #last = 0
	readonly #open = new Map<string, OpenConsole>()

	/** Returns the number that `runConsole` takes. */
	handleOf(connection: string, number: number, session: Session): number {
		const key = keyOf(connection, number)
		const known = this.#open.get(key)
		if (known?.session === session) return known.handle
		const handle = ++ConsoleSessions.#last
		this.#open.set(key, { session, handle })
		return handle
	}

	/** Closes the session of a console, which rolls back its transaction. */
	async close(connection: string, number: number): Promise<void> {
		const key = keyOf(connection, number)
		const open = this.#open.get(key)
		this.#open.delete(key)
		if (open?.session.isAlive) await open.session.call('closeSession', { session: open.handle })
	}

	async closeAll(): Promise<void> {
		const open = [...this.#open.values()].filter(({ session }) => session.isAlive)
		this.#open.clear()
		await Promise.allSettled(open.map(({ session, handle }) => session.call('closeSession', { session: handle })))
	}
}

const keyOf = (connection: string, number: number) => `${number}/${connection}`
