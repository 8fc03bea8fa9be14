import { createSignal } from 'solid-js'
import type { ConsoleResult, Statement } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import { messageOf } from '../state/host.tsx'

/** One statement that was run, newest first. */
export interface Run {
	readonly id: number
	readonly statement: string
	readonly state: 'running' | 'done' | 'failed'
	readonly result?: ConsoleResult
	readonly message?: string
	cancel(): void
}

/** More rows than this are for the grid or an export. */
const maxRows = 500
const keptRuns = 50

/** Runs statements one after the other, each cancellable; what destroys waits for a word of the person. */
export function createRuns(host: HostConnection, connection: string) {
	const [runs, setRuns] = createSignal<readonly Run[]>([])
	const [asking, setAsking] = createSignal<{ readonly statement: string; answer(isYes: boolean): void }>()
	const [fault, setFault] = createSignal<string>()
	let last = 0

	const change = (id: number, changes: Partial<Run>) =>
		setRuns(all => all.map(run => (run.id === id ? { ...run, ...changes } : run)))

	async function mayRun({ access, text }: Statement): Promise<boolean> {
		if (access !== 'destructive') return true
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

	async function run(statement: Statement): Promise<void> {
		if (statement.fault) throw new Error(statement.fault.message)
		if (!(await mayRun(statement))) return
		const id = ++last
		const abort = new AbortController()
		const begun: Run = { id, statement: statement.text, state: 'running', cancel: () => abort.abort() }
		setRuns(all => [begun, ...all].slice(0, keptRuns))
		try {
			const options = { signal: abort.signal }
			change(id, {
				result: await host.call('console.run', { connection, statement, maxRows }, options),
				state: 'done',
			})
		} catch (error) {
			change(id, { state: 'failed', message: messageOf(error) })
		}
	}

	/** Runs the statements that a range of the text touches, in order; all of them without a range. */
	async function runText(text: string, range?: { readonly from: number; readonly to: number }): Promise<void> {
		setFault(undefined)
		try {
			const statements = await host.call('console.analyse', { connection, text })
			const touched = range ? statements.filter(statement => touches(statement, range)) : statements
			for (const statement of touched) await run(statement)
		} catch (error) {
			setFault(messageOf(error))
		}
	}

	return { runs, asking, fault, runText }
}

const touches = (statement: Statement, { from, to }: { readonly from: number; readonly to: number }) =>
	statement.start <= to && statement.end >= from
