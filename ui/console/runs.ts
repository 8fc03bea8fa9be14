import { createSignal, getOwner, onCleanup, runWithOwner } from 'solid-js'
import type { ConsoleResult, Statement, Verdict } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { createTask, type Task } from '../state/task.ts'
import type { EditorSelection } from './editor.ts'

/** One statement that was run. */
export interface Run {
	readonly statement: string
	readonly task: Task<readonly [Statement], ConsoleResult>
}

/** What destroys, until the person has said a word to it. */
interface Question {
	readonly statement: string
	answer(isYes: boolean): void
}

/** More rows than this are for the grid or an export. */
const maxRows = 500
const keptRuns = 50

/** Runs statements one after the other, each cancellable; what destroys waits for a word of the person. */
export function createRuns(host: HostConnection, connection: string) {
	const owner = getOwner()
	/** The newest first. */
	const [runs, setRuns] = createSignal<readonly Run[]>([])
	const [asking, setAsking] = createSignal<Question>()
	onCleanup(() => asking()?.answer(false))
	const analysing = createTask((call, text: string) => host.call('console.analyse', { connection, text }, call))

	/** What cannot be read is never sent, so there is nothing to ask. */
	async function mayRun({ access, text, fault }: Statement): Promise<boolean> {
		if (access !== 'destructive' || fault) return true
		return new Promise(resolve => {
			setAsking({
				statement: text,
				answer: isYes => {
					setAsking(undefined)
					resolve(isYes)
				},
			})
		})
	}

	/** Begun by an event, which owns nothing, a run ends with the console all the same. */
	function createRun(): Run['task'] {
		const make = () =>
			createTask(async (call, statement: Statement) => {
				if (statement.fault) throw new Error(statement.fault.message)
				return host.call('console.run', { connection, statement, maxRows }, call)
			})
		// It gives what the function gives, and nothing only where that throws.
		return runWithOwner(owner, make) as Run['task']
	}

	/** Runs the statements that a range of the text touches, in order; all of them without a range. */
	async function runText(text: string, range?: EditorSelection): Promise<void> {
		const verdicts = (await analysing.run(text)) ?? []
		for (const verdict of verdicts.filter(found => !range || touches(found, range))) {
			const statement = { ...verdict, text: text.slice(verdict.start, verdict.end) }
			if (!(await mayRun(statement))) continue
			const task = createRun()
			setRuns(all => [{ statement: statement.text, task }, ...all].slice(0, keptRuns))
			await task.run(statement)
		}
	}

	return { runs, asking, fault: analysing.error, runText }
}

const touches = ({ start, end }: Verdict, { from, to }: EditorSelection) => start <= to && end >= from
