import { DriverError } from '@roundhouse/kit'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
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
	readonly #mutex = new KeyedMutex()
	/** Of the consoles that statements wait in, until they are closed. */
	readonly #waitedFor = new Map<string, symbol>()

	/**
	 * Runs the statements of a console in the order of the calls. The checks before a statement take longer for some than
	 * for others, and none may overtake the one that begins or ends its transaction.
	 * @throws DriverError `user_cancelled` if the console was closed meanwhile
	 */
	inTurn<T>(connection: string, number: number, work: () => Promise<T>): Promise<T> {
		const key = keyOf(connection, number)
		const console = this.#waitedFor.get(key) ?? Symbol(key)
		this.#waitedFor.set(key, console)
		return this.#mutex.run(key, async () => {
			if (this.#waitedFor.get(key) === console) return await work()
			throw new DriverError('user_cancelled', 'The console was closed before the statement ran.')
		})
	}

	/** Returns the number that `runConsole` takes. */
	handleOf(connection: string, number: number, session: Session): number {
		const key = keyOf(connection, number)
		const known = this.#open.get(key)
		if (known?.session === session) return known.handle
		const handle = ++ConsoleSessions.#last
		this.#open.set(key, { session, handle })
		return handle
	}

	/** Returns the transaction of a console, if the engine still has its session. */
	async transactionOf(connection: string, number: number): Promise<'open' | 'failed' | null> {
		const open = this.#open.get(keyOf(connection, number))
		if (!open?.session.isAlive) return null
		return await open.session.call('sessionTransaction', { session: open.handle })
	}

	/** Closes the session of a console, which rolls back its transaction. */
	async close(connection: string, number: number): Promise<void> {
		const key = keyOf(connection, number)
		const open = this.#open.get(key)
		this.#open.delete(key)
		this.#waitedFor.delete(key)
		if (open?.session.isAlive) await open.session.call('closeSession', { session: open.handle })
	}

	async closeAll(): Promise<void> {
		const open = [...this.#open.values()].filter(({ session }) => session.isAlive)
		this.#open.clear()
		this.#waitedFor.clear()
		await Promise.allSettled(open.map(({ session, handle }) => session.call('closeSession', { session: handle })))
	}
}

const keyOf = (connection: string, number: number) => `${number}/${connection}`
