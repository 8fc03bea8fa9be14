import { createSignal, getOwner, onCleanup, runWithOwner } from 'solid-js'
import type { ConsoleResult, ReviewedStatement, Said, Statement, Verdict } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import type { TabConnection } from '../state/tab.ts'
import { createTask, type Task } from '../state/task.ts'
import type { EditorSelection } from './editor.ts'

/** One statement that was run. */
export interface Run {
	/** As it was sent, its variables filled in. */
	readonly statement: string
	/** As it stands in the console. */
	readonly typed: string
	readonly task: Task<readonly [Statement, Said], ConsoleResult>
	/** Why it failed, once it has: it could not be sent, or the engine refused. */
	failure(): string | undefined
}

/** A statement of the text, and what is sent for it. */
export interface Meant {
	readonly start: number
	readonly end: number
	readonly typed: string
	readonly statement: Statement
}

/** What is not sent before the person has said a word to it. */
interface Question {
	readonly writes: readonly ReviewedStatement[]
	/** `typed`: the name, where something is destroyed. */
	answer(said: { readonly typed: string | undefined } | undefined): void
}

/** What of several statements was not run, and why. */
export interface Left {
	readonly count: number
	readonly of: number
	readonly because: string
	/** Those that can still be. */
	readonly rest: readonly Meant[]
}

/** More rows than this are for the grid or an export. */
const maxRows = 500
const keptRuns = 50

interface RunEvents {
	/** Before the first of several is run. */
	onBegin(meant: readonly Meant[]): void
	onEnd(meant: Meant, run: Run): void
	/** A statement that is no read was run. */
	onChanged(): void
}

/**
 * Runs statements one after the other, each cancellable. What destroys, and every write to a connection that asks, waits
 * for a word of the person: one for all that is run together.
 */
export function createRuns(host: HostConnection, tabConnection: TabConnection, events: RunEvents) {
	const owner = getOwner()
	const connection = tabConnection.id
	/** Those that were run together in the order of the text, the last that were run first. */
	const [runs, setRuns] = createSignal<readonly Run[]>([])
	const [asking, setAsking] = createSignal<Question>()
	const [left, setLeft] = createSignal<Left>()
	/** The one that wants to be looked at. */
	const [shown, setShown] = createSignal<Run>()
	onCleanup(() => asking()?.answer(undefined))
	const analysing = createTask((call, text: string) => host.call('console.analyse', { connection, text }, call))
	const filling = createTask((call, statements: readonly string[]) =>
		host.call('console.fillIn', { connection, statements }, call),
	)
	const reviewing = createTask((call, statements: readonly string[]) =>
		host.call('console.review', { connection, statements }, call),
	)

	/** What is said to these statements; nothing where they must not be sent. */
	async function consentTo(statements: readonly Statement[]): Promise<Said | undefined> {
		const { safeMode } = tabConnection.view
		// What cannot be read is never sent, and what is refused says so itself.
		const writes = statements.filter(({ access, fault }) => access !== 'read' && !fault)
		const isAsked = safeMode === 'ask' || writes.some(({ access }) => access === 'destructive')
		if (writes.length === 0 || !isAsked || safeMode === 'read-only') return {}
		const shown = await reviewing.run(writes.map(({ text }) => text))
		if (!shown) return undefined
		return new Promise(resolve => {
			setAsking({
				writes: shown.statements,
				answer: said => {
					setAsking(undefined)
					resolve(said && { review: shown.review, typed: said.typed })
				},
			})
		})
	}

	/** Begun by an event, which owns nothing, a run ends with the console all the same. */
	function createRun({ typed, statement: { text } }: Meant): Run {
		const make = () =>
			createTask(async (call, statement: Statement, said: Said) => {
				if (statement.fault) throw new Error(statement.fault.message)
				return host.call('console.run', { connection, statement, maxRows, showsRefusals: true, ...said }, call)
			})
		// It gives what the function gives, and nothing only where that throws.
		const task = runWithOwner(owner, make) as Run['task']
		return { statement: text, typed, task, failure: () => task.error() ?? task.value()?.fault?.message }
	}

	/** The statements of a text that are meant, with what is sent for them; nothing where that cannot be told. */
	async function meantIn(text: string, range?: EditorSelection): Promise<readonly Meant[]> {
		const verdicts = (await analysing.run(text)) ?? []
		const found = range ? meantBy(verdicts, range) : verdicts
		const typed = found.map(verdict => ({ ...verdict, text: text.slice(verdict.start, verdict.end) }))
		if (!typed.some(statement => statement.text.includes('{{'))) return typed.map(inPlace)
		const filled = await filling.run(typed.map(statement => statement.text))
		return filled ? filled.map((statement, index) => ({ ...inPlace(typed[index] ?? statement), statement })) : []
	}

	/** Runs the statements that a range of the text means, in order; all of them without a range. */
	async function runText(text: string, range?: EditorSelection): Promise<void> {
		await runAll(await meantIn(text, range))
	}

	/** Runs them until one fails; one that cannot be read is passed over. */
	async function runAll(meant: readonly Meant[]): Promise<void> {
		setLeft(undefined)
		const said = await consentTo(meant.map(({ statement }) => statement))
		if (!said || meant.length === 0) return
		events.onBegin(meant)
		const together: Run[] = []
		let unreadable = 0
		for (const [index, one] of meant.entries()) {
			const run = createRun(one)
			const last = together.at(-1)
			together.push(run)
			setRuns(all => insertedAfter(all, last, run).slice(0, Math.max(keptRuns, meant.length)))
			if (index === 0) setShown(run)
			await run.task.run(one.statement, said)
			events.onEnd(one, run)
			if (one.statement.access !== 'read' && !one.statement.fault) events.onChanged()
			const isOver = run.task.value() !== undefined && run.failure() === undefined
			if (one.statement.fault) unreadable++
			if (isOver || one.statement.fault) continue
			setShown(run)
			const rest = meant.slice(index + 1)
			if (rest.length > 0) setLeft({ count: rest.length + unreadable, of: meant.length, because: whyNot(run), rest })
			return
		}
		if (unreadable > 0 && meant.length > 1) {
			setLeft({
				count: unreadable,
				of: meant.length,
				because: unreadable === 1 ? 'it cannot be read' : 'they cannot be read',
				rest: [],
			})
			setShown(together.find(run => run.failure() !== undefined))
		}
	}

	return {
		runs,
		/** Takes it out of what is shown. */
		dismiss: (run: Run) => setRuns(all => all.filter(other => other !== run)),
		asking,
		left,
		runLeft: () => void runAll(left()?.rest ?? []),
		shown,
		fault: () => analysing.error() ?? filling.error() ?? reviewing.error(),
		meantIn,
		runText,
	}
}

const inPlace = (statement: Statement): Meant => {
	const { start, end, text } = statement
	return { start, end, typed: text, statement }
}

/** What a range means: what it touches; where that is nothing, the statement nearest below, and else the last. */
function meantBy(verdicts: readonly Verdict[], { from, to }: EditorSelection): readonly Verdict[] {
	const touched = verdicts.filter(({ start, end }) => start <= to && end >= from)
	const nearest = verdicts.find(({ start }) => start > to) ?? verdicts.at(-1)
	return touched.length > 0 ? touched : nearest ? [nearest] : []
}

function insertedAfter(all: readonly Run[], last: Run | undefined, run: Run): readonly Run[] {
	const place = last ? all.indexOf(last) + 1 : 0
	return [...all.slice(0, place), run, ...all.slice(place)]
}

function whyNot({ statement, failure }: Run): string {
	const [line = ''] = statement.split('\n')
	return failure() === undefined ? `${line} was cancelled` : `${line} failed`
}
