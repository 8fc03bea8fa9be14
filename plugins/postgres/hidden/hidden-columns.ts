import { type Call, type DriverContext, DriverError, type HiddenColumns, isDriverError } from '@roundhouse/kit'
import type { Tree } from '../console/parser.ts'
import { isChangedMeanwhile } from '../judge/judge.ts'
import { changedMark } from '../judge/look-up.ts'
import { parseName } from '../sql/names.ts'
import { isServerError } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'
import { type Closure, closureOf, keyOf } from './closure.ts'
import { type Projection, project } from './project.ts'
import { readDefinitions, readMoment, readStamp } from './read-definitions.ts'

type Using = <T>(call: Pick<Call, 'signal'>, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

interface Known {
	readonly key: string
	readonly closure: Closure
	readonly path: readonly string[]
}

/** A statement without hidden columns. */
export interface Withheld extends Projection {
	/** What it was made by: the marks, and a text that differs after each change of a definition. */
	readonly key: string
	/** Returns the names of the hidden columns of a table. */
	readonly hides: (schema: string, table: string) => ReadonlySet<string>
}

/** The hidden columns of one database. What its definitions show is kept until one of them changes. */
export class HiddenInDatabase {
	readonly #using: Using
	readonly #marks: DriverContext['hiddenColumns']
	/** As in names of tables; `undefined` for the database of the connection. */
	readonly #database: string | undefined
	#known: Known | undefined
	#stamped: { readonly snapshot: string | undefined; readonly stamp: string } | undefined

	constructor({
		using,
		marks,
		database,
	}: { readonly using: Using; readonly marks: DriverContext['hiddenColumns']; readonly database: string | undefined }) {
		this.#using = using
		this.#marks = marks
		this.#database = database
	}

	/** Whether the current call must not show all columns of the connection. */
	get isActive(): boolean {
		return this.#marks().length > 0
	}

	/** Returns what the marks reach. @param marks default: those of the current call */
	async closure(call: Pick<Call, 'signal'>, marks = this.#marks()): Promise<Closure> {
		return (await this.#look(call, marks)).closure
	}

	/** Returns a statement without hidden columns, or why it is refused; `undefined` if the call may show all columns. */
	async project(
		{ sql, tree }: { readonly sql: string; readonly tree: Tree },
		call: Pick<Call, 'signal'>,
	): Promise<Withheld | { readonly refused: string } | undefined> {
		if (!this.isActive) return undefined
		const { key, closure, path } = await this.#look(call, this.#marks())
		const found = await project({ sql, tree, closure, path })
		if ('refused' in found) return found
		const hides = (schema: string, table: string) => {
			const { hidden = [], columns } = closure.relations.get(keyOf(schema, table)) ?? {}
			return new Set([...hidden].map(attribute => columns?.get(attribute) ?? ''))
		}
		return { ...found, key, hides }
	}

	/** Runs a statement of a client, and gives no answer if a definition has changed since its statement was projected. */
	async running<T>(withheld: Withheld | undefined, call: Pick<Call, 'signal'>, run: () => Promise<T>): Promise<T> {
		if (!this.isActive) return run()
		if (!withheld) throw new DriverError('denied', 'It could show hidden columns.')
		const answer = await run().catch(error => {
			throw toldError(error, withheld)
		})
		if ((await this.#keyOf(call, this.#marks())) === withheld.key) return answer
		const next = withheld.isChange ? 'Its rows may be changed. Read them first.' : 'Send it again.'
		throw new DriverError('denied', `A definition changed while the statement ran. ${next}`)
	}

	/** Returns a text that differs if the marks, the path, or any definition differ. */
	async #keyOf(call: Pick<Call, 'signal'>, marks: readonly HiddenColumns[]): Promise<string> {
		return this.#using(call, async (session, signal) => {
			const { path, snapshot } = await readMoment(session, signal)
			// What no transaction has changed has the same stamp.
			if (snapshot === undefined || this.#stamped?.snapshot !== snapshot)
				this.#stamped = { snapshot, stamp: await readStamp(session, signal) }
			return JSON.stringify([this.#stamped.stamp, path, marks])
		})
	}

	async #look(call: Pick<Call, 'signal'>, marks: readonly HiddenColumns[]): Promise<Known> {
		const key = await this.#keyOf(call, marks)
		if (this.#known?.key === key) return this.#known
		const [definitions, path] = await this.#using(call, async (session, signal) => [
			await readDefinitions(session, signal),
			(await readMoment(session, signal)).path,
		])
		const own = marks.filter(({ table }) => {
			const { database } = parseName(table)
			return database === this.#database || database === definitions.database
		})
		this.#known = { key, closure: closureOf(definitions, own), path }
		return this.#known
	}
}

/** Returns what a client may read of an error: the analysis of a statement speaks of its text alone. */
function toldError(error: unknown, { touches, withheld }: Projection): unknown {
	if (!isDriverError(error) || error.engineCode === undefined) return error
	const { code, engineCode, message } = error
	// So that it is run again.
	if (isChangedMeanwhile(error)) return new DriverError(code, changedMark, { engineCode })
	const hidden = engineCode === '42703' ? withheld.find(name => namesColumn(message, name)) : undefined
	if (hidden !== undefined) return new DriverError(code, `${hidden} is hidden by the user.`, { engineCode })
	// Offsets are those of the changed text.
	if (!touches) return new DriverError(code, message, { engineCode })
	if (/^(?:42|57|0A|55)/.test(engineCode)) return new DriverError(code, message, { engineCode })
	// The detail has the row.
	const { cause } = error
	if (engineCode.startsWith('23') && isServerError(cause)) return new DriverError(code, cause.message, { engineCode })
	const words = 'It failed. The words of the error could show values that are hidden by the user.'
	return new DriverError(code, words, { engineCode })
}

const namesColumn = (message: string, name: string) => {
	const column = name.slice(name.lastIndexOf('.') + 1).replaceAll('"', '')
	return message.includes(`"${column}"`) || message.includes(`.${column} `)
}
