import { parameterLines } from '@roundhouse/kit/parameters'
import { createEffect, createRoot, createSignal, onCleanup } from 'solid-js'
import type {
	ConsoleResult,
	Namespace,
	ResultOrder,
	ReviewedStatement,
	Said,
	Statement,
	Verdict,
} from '../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../api/client.ts'
import type { ExportChoice } from '../exports/export-sheet.tsx'
import { variablesIn } from '../requests/variables-sheet.tsx'
import { countIn, type TableChanges } from '../results/kept-changes.ts'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { hasCode, messageOf } from '../words/message-of.ts'
import { namespaceWords } from '../words/place-words.ts'
import { asksFor } from '../words/safe-mode.ts'
import type { EditorSelection } from './editor.ts'
import { createResults } from './results.ts'
import { isRunning, type Restoring, type Run, type RunFailure, tasksOf } from './run.ts'
import { isEnd, isUndoneByRollback } from './transactions.ts'

/** A statement of the text and the text that is sent for it. */
export interface Meant {
	readonly start: number
	readonly end: number
	/** Where it begins, counted from 1. */
	readonly line: number
	readonly typed: string
	readonly statement: Statement
	/** The typed text with `{{name}}` for each place, and the values of these. */
	readonly named: { readonly statement: string; readonly values: Readonly<Record<string, string>> }
	/** The places as they are typed, by their names. */
	readonly places: ReadonlyMap<string, string>
}

/** What becomes of a statement whose values are asked for, as the button of the question says. */
export type Purpose = 'Run' | 'Try' | 'Explain'

/** Statements that wait for the user's confirmation. */
export interface Question {
	readonly writes: readonly ReviewedStatement[]
	/** Number of all statements that then run, also those that read. */
	readonly all: number
	/** The reasons of their verdicts that the driver gives. */
	readonly reasons: readonly string[]
	/** Whether a rollback undoes all that is destructive. */
	readonly isUndone: boolean
	/** `typed`: the name, if something is destroyed. */
	answer(said: { readonly typed: string | undefined } | undefined): void
}

/** Places of statements that wait for their values. */
export interface AskedPlaces {
	/** Each name with its text in the statement. */
	readonly names: readonly (readonly [name: string, text: string])[]
	readonly purpose: Purpose
	answer(values: Readonly<Record<string, string>> | undefined): void
}

/** The statements of a group that did not run, and why. */
export interface Left {
	readonly count: number
	readonly of: number
	readonly because: string
	/** Those that can still run. */
	readonly rest: readonly Meant[]
}

const maxRows = 2_000
/** Rows of a read that the user asks for again. More belong in a grid or an export. */
export const mostRows = 100_000

/** A connection, and where its names are looked up: parameters of calls for a console. */
export interface InNamespace {
	readonly connection: string
	readonly database?: string
	readonly schema?: string
}

interface RunOptions {
	readonly tabConnection: TabConnection
	/** Number of the console, whose statements share a session of the engine. */
	readonly session: number
	/** Where statements run. */
	on(): InNamespace
	/** The statement that begins a transaction before a write, if the user commits by hand. */
	beginsWith(): string | undefined
	/** Whether the values of places in quotes are asked for. */
	asksInQuotes(): boolean
	/** Called before the first of several runs. */
	onBegin(meant: readonly Meant[]): void
	onEnd(meant: Meant, run: Run): void
	/** The driver has reported what a cancelled write had done. */
	onStopped(run: Run): void
	/** Called after a statement that is not a read. */
	onChanged(): void
	/** A result is not removed, because its changes are not saved. */
	onKept(): void
	/** The transaction was lost with its connection. */
	onTransactionLost(): void
}

/** How often an idle console asks whether its transaction is still open. */
const transactionLookMs = 2_000

/**
 * Runs statements in order; each can be cancelled. Destructive statements, and every write on a connection that asks,
 * wait for the user: one confirmation for a group.
 */
export function createRuns(host: HostConnection, { tabConnection, session, on, ...events }: RunOptions) {
	const connection = tabConnection.id
	const results = createResults(events.onKept)
	const { runs } = results
	const [asking, setAsking] = createSignal<Question>()
	const [left, setLeft] = createSignal<Left>()
	const [places, setPlaces] = createSignal<AskedPlaces>()
	/** The transaction of the engine's session, if one is open. */
	const [transaction, setTransaction] = createSignal<ConsoleResult['transaction']>()
	/** Number of rows that statements of the open transaction have changed. */
	const [changed, setChanged] = createSignal(0)
	/** Where the session looks up names, as far as its statements have changed that. */
	const [moved, setMoved] = createSignal<Namespace>({})
	/** Returns where the session looks up names. @param chosen where it began */
	const movedFrom = (chosen: Namespace): Namespace => {
		const { database = chosen.database, schema = chosen.schema } = moved()
		return { database, schema }
	}
	let hasRun = false
	let begun = 0
	/** The statements whose variables were last filled in. */
	let sought = ''
	onCleanup(
		host.on('session.state', changed => {
			if (changed.connection !== connection || changed.state.status === 'connected' || !transaction()) return
			setTransaction(undefined)
			events.onTransactionLost()
		}),
	)
	/** The engine may end a session while it waits for the user, for example when the server restarts. */
	async function lookForTransaction(): Promise<void> {
		const before = begun
		if (runs().some(isRunning)) return
		const found = await host.call('console.transaction', { connection, session }).catch(() => 'unknown')
		if (found !== null || begun !== before || transaction() === undefined) return
		setTransaction(undefined)
		events.onTransactionLost()
	}
	createEffect(() => {
		if (transaction() === undefined) return void setChanged(0)
		const timer = setInterval(() => void lookForTransaction(), transactionLookMs)
		onCleanup(() => clearInterval(timer))
	})
	onCleanup(() => {
		asking()?.answer(undefined)
		places()?.answer(undefined)
		for (const run of runs()) run.dispose()
		endSession()
	})
	/** Its transaction and its settings end with it. */
	function endSession(): void {
		setMoved({})
		if (hasRun) host.call('console.closeSession', { connection, session }).catch(() => {})
	}
	const analysing = createTask((call, text: string) => host.call('console.analyse', { ...on(), text }, call))
	const beginning = createTask(async (call, text: string) => {
		const [verdict] = await host.call('console.analyse', { ...on(), text }, call)
		if (!verdict) throw new Error(`The driver cannot read its own statement ${text}.`)
		const statement = { ...verdict, text }
		const sent = { ...on(), session, statement, maxRows, showsRefusals: true, inTransaction: false }
		return host.call('console.run', sent, call)
	})
	const filling = createTask((call, statements: readonly string[], values: Readonly<Record<string, string>>) =>
		host.call('console.fillIn', { ...on(), statements, values }, call),
	)
	const reviewing = createTask((call, statements: readonly Pick<Statement, 'text' | 'parameters'>[]) => {
		const inTransaction = transaction() !== undefined
		return host.call('console.review', { ...on(), statements, session, inTransaction }, call)
	})

	/** The user's answer for these statements; undefined if they must not be sent. */
	async function consentTo(statements: readonly Statement[]): Promise<Said | undefined> {
		// An unreadable statement is never sent, and a refused one explains itself.
		const writes = statements.filter(({ access, fault }) => access !== 'read' && !fault)
		const isUndone = isUndoneByRollback(statements, transaction() !== undefined || events.beginsWith() !== undefined)
		if (!writes.some(write => asksFor(tabConnection.view, write, isUndone))) return {}
		const shown = await reviewing.run(writes)
		if (!shown) return undefined
		return new Promise(resolve => {
			setAsking({
				writes: shown.statements,
				all: statements.filter(({ fault }) => !fault).length,
				reasons: [...new Set(writes.flatMap(({ reason }) => reason ?? []))],
				isUndone,
				answer: said => {
					setAsking(undefined)
					resolve(said && { review: shown.review, typed: said.typed })
				},
			})
		})
	}

	/** The end of an open transaction belongs to the statements before it, so it replaces none of their results. */
	function groupOf(sent: readonly Meant[]): number {
		const isOnlyEnd = transaction() !== undefined && sent.every(({ statement }) => isEnd(statement))
		return (isOnlyEnd ? runs()[0]?.group : undefined) ?? begun + 1
	}

	/** Begins the transaction of a write that is committed by hand. @returns `false` if that failed, which is shown */
	async function beginFor(statement: Statement): Promise<boolean> {
		const { access, fault } = statement
		const begin = events.beginsWith()
		const isControl = statement.transaction === 'begins' || isEnd(statement)
		if (begin === undefined || transaction() || access === 'read' || isControl || fault) return true
		if (tabConnection.view.safeMode === 'read-only') return true
		hasRun = true
		const begun = await beginning.run(begin)
		if (begun) setTransaction(begun.transaction)
		return begun !== undefined && begun.fault === undefined
	}

	/** It lives until it is removed, and at most as long as the console. */
	function createRun({ typed, statement, line, places }: Meant, group: number, restoring?: Restoring): Run {
		const { text, fault, parameters, access } = statement
		const target = on()
		const namespace = namespaceWords(movedFrom(target))
		/** @throws if the console has moved since: the same statement could read another table of the same name. */
		function requireSameNamespace(): void {
			const now = namespaceWords(movedFrom(on()))
			if (now === namespace) return
			const way = [namespace && ` from ${namespace}`, now && ` to ${now}`].filter(Boolean).join('')
			throw new Error(`This console has moved${way}, so names in the statement can mean other tables.`)
		}
		let most = maxRows
		const [stopped, setStopped] = createSignal<string>()
		const send = (call: CallOptions, options: Said & { readonly sort?: ResultOrder }) => {
			const sent = { ...target, session, statement, maxRows: most, showsRefusals: true, ...options }
			const running = host.call('console.run', { ...sent, inTransaction: transaction() !== undefined }, call)
			return running.catch(error => {
				// The next statement runs in a new session.
				if (hasCode(error, 'driver/not_connected')) setMoved({})
				throw error
			})
		}
		const { task, sorting, dispose } = createRoot(dispose => ({
			task: createTask((call, statement: Statement, said: Said, maxRows: number) => {
				if (statement.fault) throw new Error(statement.fault.message)
				requireSameNamespace()
				most = maxRows
				return send(call, said).catch(error => {
					// The task is over for the window, but a write that was stopped may have changed something.
					if (call.signal?.aborted && access !== 'read') {
						setStopped(messageOf(error))
						events.onStopped(run)
					}
					throw error
				})
			}),
			sorting: createTask(async (call, sort: ResultOrder) => {
				requireSameNamespace()
				const sorted = await send(call, { sort })
				setTransaction(sorted.transaction)
				if (sorted.fault) throw new Error(sorted.fault.message)
				return sorted
			}),
			dispose,
		}))
		const failure = (): RunFailure | undefined => {
			const message = task.error()
			const found = fault ?? (message === undefined ? task.value()?.fault : { message })
			if (found === undefined || text === typed) return found
			// Variables were filled in, so the offset is of another text.
			return { message: found.message }
		}
		const readMore = () => void task.run(statement, {}, mostRows)
		const canReadMore = () => most < mostRows
		const typedNames = Object.entries(parameters ?? {}).map(
			([name, value]) => [places.get(name) ?? name, value] as const,
		)
		const values = parameterLines(Object.fromEntries(typedNames))
		const beginExport = async (options: ExportChoice, call: CallOptions) => {
			requireSameNamespace()
			const sent = { text, ...(parameters && { parameters }) }
			const inTransaction = transaction() !== undefined
			return host.call('exports.beginStatement', { ...target, session, statement: sent, options, inTransaction }, call)
		}
		const { canSort } = tabConnection.engine.console
		const reading = access === 'read' && { readMore, canReadMore, beginExport, ...(canSort && { sorting }) }
		const [changes, setChanges] = createSignal<readonly TableChanges[]>([])
		const edited = { changes, setChanges, staged: () => countIn(changes()), ...(restoring && { restoring }) }
		const place = { number: ++begun, group, line, begunAt: Date.now() }
		const run: Run = {
			statement: text,
			...place,
			values,
			typed,
			namespace,
			task,
			dispose,
			failure,
			stopped,
			...edited,
			...reading,
		}
		return run
	}

	/** Values that are sent apart from a statement do not repair it. */
	const isFilled = ({ text, fault }: Statement) =>
		text.includes('{{') && !(fault && tabConnection.engine.console.takesParameters)

	/** Leaves out the places that are not asked for. If they are why the driver refuses the statement, its fault names the way. */
	function asked<V extends Verdict>({ asks = [], fault, ...verdict }: V) {
		const places = asks.filter(({ doubled }) => doubled === undefined || events.asksInQuotes())
		const isRefused = fault?.code === 'invalid_argument' && fault.engineCode === undefined
		const isMissed = isRefused && places.length < asks.length
		const hint = 'To be asked for it, choose “Also ask for :name in quotes” in the menu of the console.'
		return {
			...verdict,
			...(places.length > 0 && { asks: places }),
			...(fault && { fault: isMissed ? { ...fault, message: `${fault.message} ${hint}` } : fault }),
		}
	}

	/** Asks for the values of the places of statements. @returns `undefined` if the user gives none */
	async function valuesOf(
		statements: readonly Statement[],
		purpose: Purpose,
	): Promise<Readonly<Record<string, string>> | undefined> {
		const places = new Map(statements.flatMap(statement => [...placesIn(statement)]))
		if (places.size === 0) return {}
		return new Promise(resolve => {
			setPlaces({
				names: [...places],
				purpose,
				answer: values => {
					setPlaces(undefined)
					resolve(values)
				},
			})
		})
	}

	/**
	 * Returns the selected statements with what is sent for them; none if that fails, or if a value is not given.
	 *
	 * @param asks what the values of their places are asked for; otherwise they are not
	 */
	async function meantIn(text: string, range?: EditorSelection, asks?: Purpose): Promise<readonly Meant[]> {
		filling.clear()
		const verdicts = (await analysing.run(text)) ?? []
		const found = range ? meantBy(verdicts, range) : verdicts
		const typed = found.map(verdict => ({ ...asked(verdict), text: text.slice(verdict.start, verdict.end) }))
		const values = asks ? await valuesOf(typed, asks) : {}
		if (!values) return []
		const isSent = (statement: Statement) => isFilled(statement) || (asks !== undefined && statement.asks !== undefined)
		const unsent = typed.filter(isSent)
		const texts = unsent.map(statement => (asks ? withNames(statement, values) : statement.text))
		const inPlace = (statement: Statement): Meant => {
			const { start, end, text: typed } = statement
			const named = { statement: withNames(statement, values), values }
			return { start, end, line: lineAt(text, start), typed, statement, named, places: placesIn(statement) }
		}
		if (texts.length === 0) return typed.map(inPlace)
		sought = unsent.map(({ text }) => text).join('\n')
		const filled = (await filling.run(texts, values))?.values()
		return filled
			? typed.map(statement => {
					const sent = isSent(statement) ? filled.next().value : undefined
					return { ...inPlace(statement), ...(sent && { statement: sent }) }
				})
			: []
	}

	/** Runs the statements of a range of the text in order, or all of them. */
	async function runText(text: string, range?: EditorSelection): Promise<void> {
		await runAll(await meantIn(text, range, 'Run'))
	}

	/**
	 * Runs until one fails, also one that the engine has refused before. If one cannot be read, none runs, because those
	 * after it may count on it; that one shows why.
	 */
	async function runAll(meant: readonly Meant[], restoring?: Restoring): Promise<void> {
		setLeft(undefined)
		const unreadable = meant.find(isUnreadable)
		const said = unreadable ? {} : await consentTo(meant.map(({ statement }) => statement))
		if (!said || meant.length === 0) return
		const sent = unreadable ? [unreadable] : meant
		events.onBegin(sent)
		const group = groupOf(sent)
		for (const [index, one] of sent.entries()) {
			if (!(await beginFor(one.statement))) return
			const run = createRun(one, group, restoring)
			hasRun = true
			const wasOpen = transaction() !== undefined
			const running = run.task.run(one.statement, said, maxRows)
			results.begin(run)
			const result = await running
			results.end(run)
			// After a failure of the call, the state is as before.
			if (result) {
				setTransaction(result.transaction)
				// A refused statement has moved nothing, and its answer does not say where the session is.
				if (!result.fault || result.fault.code === 'not_connected')
					setMoved({ database: result.database, schema: result.schema })
				if (result.transaction) setChanged(before => before + (result.affected ?? 0))
			}
			events.onEnd(one, run)
			if (one.statement.access !== 'read' && !one.statement.fault) events.onChanged()
			if (run.task.value() !== undefined && run.failure() === undefined) continue
			const rest = unreadable ? [] : meant.slice(index + 1)
			const count = unreadable ? meant.length : rest.length
			// What follows was meant for the transaction.
			const isLost = wasOpen && transaction() === undefined
			const left = { count, of: meant.length, because: whyNot(run, unreadable) }
			if (meant.length > 1 && count > 0) setLeft({ ...left, rest: isLost ? [] : rest })
			return
		}
	}

	return {
		results,
		asking,
		/** Places of statements whose values are asked for. */
		places,
		left,
		runLeft: () => void runAll(left()?.rest ?? []),
		/** In a session of the engine, a statement waits for those before it. */
		isWaiting: ({ number }: Run) =>
			tabConnection.engine.console.transaction !== undefined &&
			runs().some(other => other.number < number && isRunning(other)),
		transaction,
		changed,
		fault: () => analysing.error() ?? beginning.error() ?? filling.error() ?? reviewing.error(),
		/** The variables of the latest statements, if they could not be filled in. */
		unfilled: () => (filling.error() === undefined ? [] : variablesIn(sought)),
		/** Cancels the statements that run. */
		cancel() {
			for (const task of runs().flatMap(tasksOf)) if (task.isRunning()) task.cancel()
		},
		isRunning: () => runs().some(isRunning),
		meantIn,
		runText,
		runMeant: runAll,
		endSession,
		movedFrom,
	}
}

/** Returns the places whose values are asked for, as they are typed, by their names. */
const placesIn = ({ text, asks = [] }: Statement): ReadonlyMap<string, string> =>
	new Map(asks.map(({ start, end, name }) => [name, text.slice(start, end)]))

/** Returns a statement with `{{name}}` for each place whose value is asked for, and in quotes with the value. */
function withNames({ text, asks = [] }: Statement, values: Readonly<Record<string, string>>): string {
	let [named, at] = ['', 0]
	for (const { start, end, name, doubled } of asks) {
		const place = doubled === undefined ? `{{${name}}}` : inText(values[name] ?? '', doubled)
		named += text.slice(at, start) + place
		at = end
	}
	return named + text.slice(at)
}

/** Returns a value as a text in quotes has it. Two braces of it begin no place. */
const inText = (value: string, doubled: string) =>
	[...value]
		.map(sign => (doubled.includes(sign) ? sign + sign : sign))
		.join('')
		.replaceAll('{{', '\\{{')

/** Returns the line of an offset, counted from 1. */
const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Returns the statements that a range touches, else the nearest one below, else the last. */
function meantBy(verdicts: readonly Verdict[], { from, to }: EditorSelection): readonly Verdict[] {
	const touched = verdicts.filter(({ start, end }) => start <= to && end >= from)
	const nearest = verdicts.find(({ start }) => start > to) ?? verdicts.at(-1)
	return touched.length > 0 ? touched : nearest ? [nearest] : []
}

/** Whether a statement is never sent. The engine itself refused one with its code. */
const isUnreadable = ({ statement: { fault } }: Meant) => fault !== undefined && fault.engineCode === undefined

function whyNot({ statement, failure }: Run, unreadable: Meant | undefined): string {
	const [line = ''] = statement.split('\n')
	if (unreadable)
		return `${line} ${unreadable.statement.fault?.code === 'unsupported' ? 'does not run in a console' : 'cannot be read'}`
	return failure() === undefined ? `${line} was cancelled` : `${line} failed`
}
