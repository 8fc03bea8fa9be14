import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { withoutCredentials } from '../../base/credentials-in-text.ts'
import { JsonStore } from '../../base/json-store.ts'

/** One run of a console. */
export const pastRunSchema = z.object({
	/** As typed, with variables not filled in and credentials redacted. */
	statement: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	/** The engine's status line, or why it did not run. */
	status: z.string().max(1_000),
	tookMs: z.number().nonnegative().optional(),
	sizeBytes: z.number().nonnegative().optional(),
})
export type PastRun = z.infer<typeof pastRunSchema>

const mostKept = 500
/** Users do not look up a body of a megabyte. */
const longestKept = 20_000
/** For all runs of a connection, so that its file is written quickly. */
const mostCharacters = 1_000_000

/**
 * The past runs of each connection, the latest first: one file each, so that a run does not rewrite another
 * connection's.
 */
export class RunHistory {
	readonly #folder: string
	readonly #open = new Map<string, Promise<JsonStore<PastRun[]>>>()

	constructor(folder: string) {
		this.#folder = folder
	}

	async list(connection: string): Promise<readonly PastRun[]> {
		const store = await this.#of(connection)
		// A reading right after a run includes it.
		await store.flush()
		return store.value
	}

	/** A repeated run moves to the front. */
	async add(connection: string, run: PastRun): Promise<void> {
		if (run.statement.length > longestKept) return
		const kept = { ...run, statement: withoutCredentials(run.statement), status: withoutCredentials(run.status) }
		await (await this.#of(connection)).update(all => bounded([kept, ...all.filter(past => !isSame(past, kept))]))
	}

	/** Removes the runs of connections that no longer exist. */
	async forget(isThere: (connection: string) => boolean): Promise<void> {
		const names = await readdir(this.#folder).catch(() => [])
		for (const name of names) {
			const connection = name.replace(/\.json$/, '')
			if (isThere(connection)) continue
			this.#open.delete(connection)
			await rm(join(this.#folder, name), { force: true })
		}
	}

	/** `connection` is the id of a saved one. */
	#of(connection: string): Promise<JsonStore<PastRun[]>> {
		const open =
			this.#open.get(connection) ?? JsonStore.open(join(this.#folder, `${connection}.json`), z.array(pastRunSchema), [])
		this.#open.set(connection, open)
		open.catch(() => this.#open.delete(connection))
		return open
	}
}

const isSame = (one: PastRun, other: PastRun) => one.statement === other.statement

function bounded(runs: readonly PastRun[]): PastRun[] {
	let left = mostCharacters
	return runs.slice(0, mostKept).filter(({ statement }) => {
		left -= statement.length
		return left >= 0
	})
}
