import { createSignal, type JSX, Show } from 'solid-js'
import type { Review, ReviewedStatement } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { showToast } from '../controls/toasts.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { EngineProvider } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { isRefusedStatus } from '../words/refused-status.ts'

/** An action of the driver: one or more statements of its console. */
export interface ConsoleAction {
	readonly label: string
	readonly text: string
	/** Where it runs, if that is another database than that of the connection. */
	readonly database?: string | undefined
	/** Whether its statements run in one transaction, so that all of them are applied or none. */
	readonly isWhole?: boolean
	/** The user sees the statements already: a connection that writes without asking asks only before a loss. */
	readonly isShown?: boolean
}

interface Asked extends Review, ConsoleAction {
	readonly statements: readonly ReviewedStatement[]
	readonly isWhole: boolean
}

/** The session of an action whose statements run in one transaction. Consoles are numbered from 1. */
const ownSession = 0

/** Shows the statements of an action, and sends them one after the other if the user agrees. */
export function createActionRun(connection: TabConnection, onDone: () => void) {
	const host = useHost()
	const [asking, setAsking] = createSignal<Asked>()
	/** How many statements of the shown action were sent. After a failure, the next attempt continues after them. */
	let sent = 0
	/** Proves to the host that the statements were shown, each once. */
	let review = ''
	const on = ({ database }: ConsoleAction) => ({
		connection: connection.id,
		...(database !== undefined && { database }),
	})

	const reviewing = createTask(async (call, action: ConsoleAction) => {
		const verdicts = await host.call('console.analyse', { ...on(action), text: action.text }, call)
		const texts = verdicts.map(({ start, end }) => action.text.slice(start, end))
		const { begin, commit } = connection.engine.console.transaction ?? {}
		const isWhole = action.isWhole === true && texts.length > 1 && begin !== undefined && commit !== undefined
		const statements = (isWhole ? [begin, ...texts, commit] : texts).map(text => ({ text }))
		const shown = await host.call('console.review', { ...on(action), statements }, call)
		sent = 0
		review = shown.review
		const asked = { ...action, ...shown, isWhole }
		const isFree = connection.view.safeMode === 'free' && !connection.view.isProduction
		const isAsked = action.isShown !== true || !isFree || shown.statements.some(isDestructive)
		if (isAsked) setAsking(asked)
		else void acting.run(asked, undefined)
	})
	const acting = createTask(async (call, asked: Asked, typed: string | undefined) => {
		const own = asked.isWhole ? { session: ownSession } : {}
		const said: string[] = []
		try {
			for (const { text } of asked.statements.slice(sent)) {
				const [verdict] = await host.call('console.analyse', { ...on(asked), text }, call)
				if (verdict === undefined) throw new Error('The driver returned a statement that it cannot classify.')
				const statement = { ...verdict, text }
				const how = {
					maxRows: 1,
					showsRefusals: true,
					review,
					typed,
					...own,
					...(asked.isWhole && { inTransaction: sent > 0 }),
				}
				const { status, fault, notices } = await host.call('console.run', { ...on(asked), statement, ...how }, call)
				if (fault) throw new Error(fault.message)
				if (isRefusedStatus(status)) throw new Error([status, ...notices].join(' '))
				said.push(...notices)
				sent++
			}
		} catch (error) {
			if (asked.isWhole) await beginAgain(asked)
			throw error
		}
		if (asked.isWhole) await endSession()
		close()
		if (said.length > 0) showToast(`${asked.label}: ${said.join(' ')}`)
		onDone()
	})
	/** The transaction is rolled back with its session, so the next attempt sends all statements again. */
	async function beginAgain(asked: Asked): Promise<void> {
		await endSession()
		sent = 0
		const statements = asked.statements.map(({ text }) => ({ text }))
		review = (await host.call('console.review', { ...on(asked), statements })).review
	}
	const endSession = () => host.call('console.closeSession', { connection: connection.id, session: ownSession })
	/** Stops the statement that runs. What it had done is about what its last report says. */
	function stop({ label, isWhole }: Asked): void {
		const done = acting.progress()?.message
		acting.clear()
		setAsking(undefined)
		const kept = isWhole ? '' : ' Changes that were made are kept.'
		showToast(`${label}: stopped${done === undefined ? '' : ` at about ${done}`}.${kept}`)
		onDone()
	}
	function close(): void {
		acting.clear()
		if (sent > 0 && asking() && sent < (asking()?.statements.length ?? 0)) onDone()
		setAsking(undefined)
	}
	const noun = (action: Asked) => connection.engine.console.noun[action.statements.length === 1 ? 'one' : 'many']

	return {
		ask: (action: ConsoleAction) => void reviewing.run(action),
		/** From the review to the last statement, or until the user leaves the question. */
		isUnderWay: () => reviewing.isRunning() || acting.isRunning() || asking() !== undefined,
		/** Why it could not be asked, or why it failed. */
		error: () => reviewing.error() ?? acting.error(),
		/** The question, and why it could not be asked. */
		Sheet: (): JSX.Element => (
			<>
				<Failure of={reviewing} />
				<Failure of={acting} isSilent={asking() !== undefined} />
				<Show when={asking()} keyed>
					{action => (
						<EngineProvider engine={connection.engine}>
							<WriteSheet
								title={action.label}
								connection={connection}
								words={
									action.statements.length === 1 ? `This ${noun(action)} is sent:` : `These ${noun(action)} are sent:`
								}
								writes={action.statements}
								destroyed={action.statements.some(isDestructive) ? connection.name : undefined}
								fault={acting.error()}
								yes={action.label}
								no={acting.isRunning() ? 'Stop' : 'Leave it'}
								isBusy={acting.isRunning()}
								whileBusy={
									<Show when={acting.progress()?.message}>
										{message => (
											<span class="quiet" role="status">
												{message()}
											</span>
										)}
									</Show>
								}
								onYes={typed => void acting.run(action, typed)}
								stops={{ question: `${action.label}: stop it?`, leave: 'Stop', keep: 'Go on' }}
								onNo={() => (acting.isRunning() ? stop(action) : close())}
							/>
						</EngineProvider>
					)}
				</Show>
			</>
		),
	}
}

const isDestructive = ({ access }: ReviewedStatement) => access === 'destructive'
