import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'
import { withoutCredentials } from '../base/redaction.ts'

/** One run of a console. */
export const pastRunSchema = z.object({
	/** As it was typed, its variables not filled in; credentials in it are not kept. */
	statement: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	/** The engine's own status line, or what kept it from running. */
	status: z.string().max(1_000),
	tookMs: z.number().nonnegative().optional(),
	sizeBytes: z.number().nonnegative().optional(),
})
export type PastRun = z.infer<typeof pastRunSchema>

const mostKept = 500
/** A body of a megabyte is no text that anybody looks up again. */
const longestKept = 20_000
/** All of a connection's together, so that its file is written in no time. */
const mostCharacters = 1_000_000

/** What persons ran on each connection, the last first: a file for each, so that a run writes no other connection's. */
export class RunHistory {
	readonly #folder: string
	readonly #open = new Map<string, Promise<JsonStore<PastRun[]>>>()

	constructor(folder: string) {
		this.#folder = folder
	}

	async list(connection: string): Promise<readonly PastRun[]> {
		const store = await this.#of(connection)
		// Whoever looks right after a run finds it.
		await store.flush()
		return store.value
	}

	/** What is run once more moves to the front. */
	async add(connection: string, run: PastRun): Promise<void> {
		if (run.statement.length > longestKept) return
		const kept = { ...run, statement: withoutCredentials(run.statement), status: withoutCredentials(run.status) }
		await (await this.#of(connection)).update(all => bounded([kept, ...all.filter(past => !isSame(past, kept))]))
	}

	/** Lets go of what was run on connections that are there no more. */
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
