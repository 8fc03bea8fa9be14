import { batch, createRoot, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import type { Review, ReviewedStatement } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { showLastingToast, showRunningToast, showToast } from '../controls/toasts.tsx'
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
	/** Whether the user is asked. Otherwise it is sent at once. */
	readonly isAsked: boolean
}

/** The session of an action whose statements run in one transaction. Consoles are numbered from 1. */
const ownSession = 0

type Sending = ReturnType<typeof createSending>

const placeOf = (connection: TabConnection, { database }: ConsoleAction) => ({
	connection: connection.id,
	...(database !== undefined && { database }),
})

/**
 * Sends the statements of an action one after the other. It belongs to no part of the page, so that it can go on behind
 * the window: the caller disposes it.
 */
function createSending(host: ReturnType<typeof useHost>, connection: TabConnection, asked: Asked) {
	const place = placeOf(connection, asked)
	/** How many statements were sent. After a failure, the next attempt continues after them. */
	let sent = 0
	/** Proves to the host that the statements were shown, each once. */
	let { review } = asked
	const endSession = () => host.call('console.closeSession', { connection: connection.id, session: ownSession })
	/** The transaction is rolled back with its session, so the next attempt sends all statements again. */
	async function beginAgain(): Promise<void> {
		await endSession()
		sent = 0
		const statements = asked.statements.map(({ text }) => ({ text }))
		review = (await host.call('console.review', { ...place, statements })).review
	}
	return createRoot(dispose => {
		/** Returns what the engine says of each statement. */
		const task = createTask(async (call, typed: string | undefined) => {
			const own = asked.isWhole ? { session: ownSession } : {}
			const said: string[] = []
			try {
				for (const { text } of asked.statements.slice(sent)) {
					const [verdict] = await host.call('console.analyse', { ...place, text }, call)
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
					const { status, fault, notices } = await host.call('console.run', { ...place, statement, ...how }, call)
					if (fault) throw new Error(fault.message)
					if (isRefusedStatus(status)) throw new Error([status, notices.join(' ')].filter(Boolean).join('. '))
					said.push(...notices)
					sent++
				}
			} catch (error) {
				if (asked.isWhole) await beginAgain()
				throw error
			}
			if (asked.isWhole) await endSession()
			return said
		})
		/** Whether some of the statements were sent, and not all. */
		const isPartly = () => sent > 0 && sent < asked.statements.length
		return { asked, task, isPartly, dispose }
	})
}

interface Events {
	onDone(): void
	/** Whether `onDone` shows a message. Otherwise one is shown where the engine says nothing. */
	readonly saysDone?: boolean
	/** Called when the user lets an action go on behind the window. Without it that is not offered. */
	onAside?: (() => void) | undefined
}

/** Shows the statements of an action, and sends them one after the other if the user agrees. */
export function createActionRun(connection: TabConnection, { onDone, saysDone = false, onAside }: Events) {
	const host = useHost()
	/** What is asked or sent, unless it goes on behind the window. */
	const [current, setCurrent] = createSignal<Sending>()
	/** What goes on behind the window, with what removes its message. */
	const aside = new Map<Sending, () => void>()
	function leave(sending: Sending): void {
		sending.dispose()
		aside.delete(sending)
		if (current() === sending) setCurrent(undefined)
	}
	onCleanup(() => current()?.dispose())

	const reviewing = createTask(async (call, action: ConsoleAction) => {
		const place = placeOf(connection, action)
		const verdicts = await host.call('console.analyse', { ...place, text: action.text }, call)
		const texts = verdicts.map(({ start, end }) => action.text.slice(start, end))
		const { begin, commit } = connection.engine.console.transaction ?? {}
		const isWhole = action.isWhole === true && texts.length > 1 && begin !== undefined && commit !== undefined
		const statements = (isWhole ? [begin, ...texts, commit] : texts).map(text => ({ text }))
		const shown = await host.call('console.review', { ...place, statements }, call)
		const isFree = connection.view.safeMode === 'free' && !connection.view.isProduction
		const isAsked = action.isShown !== true || !isFree || shown.statements.some(isDestructive)
		current()?.dispose()
		const sending = createSending(host, connection, { ...action, ...shown, isWhole, isAsked })
		setCurrent(sending)
		if (!isAsked) void send(sending, undefined)
	})
	async function send(sending: Sending, typed: string | undefined): Promise<void> {
		const { asked, task } = sending
		const said = await task.run(typed)
		const endMessage = aside.get(sending)
		endMessage?.()
		if (said !== undefined) {
			leave(sending)
			if (said.length > 0 || !saysDone) showToast(`${asked.label}: ${said.join(' ') || 'done.'}`)
			onDone()
		} else if (endMessage && task.error() !== undefined) {
			showLastingToast(`${asked.label} failed. ${task.error()}`)
			leave(sending)
			onDone()
		}
	}
	/** The question closes. A message shows how far it is, what stops it, and how it ends. */
	function goOnAside(sending: Sending): void {
		const { asked, task } = sending
		const action = { label: 'Stop', run: () => stop(sending) }
		aside.set(sending, showRunningToast({ text: asked.label, progress: () => task.progress()?.message ?? '…', action }))
		batch(() => {
			setCurrent(undefined)
			onAside?.()
		})
	}
	/** Stops the statement that runs. What it had done is about what its last report says. */
	function stop(sending: Sending): void {
		const { label, isWhole } = sending.asked
		const done = sending.task.progress()?.message
		leave(sending)
		const kept = isWhole ? '' : ' Changes that were made are kept.'
		showToast(`${label}: stopped${done === undefined ? '' : ` at about ${done}`}.${kept}`)
		onDone()
	}
	function close(sending: Sending): void {
		leave(sending)
		if (sending.isPartly()) onDone()
	}
	const noun = ({ statements }: Asked) => connection.engine.console.noun[statements.length === 1 ? 'one' : 'many']

	return {
		ask: (action: ConsoleAction) => void reviewing.run(action),
		/** From the review to the last statement, or until the user leaves the question. */
		isUnderWay: () => {
			const sending = current()
			return reviewing.isRunning() || (sending !== undefined && (sending.asked.isAsked || sending.task.isRunning()))
		},
		/** Why it could not be asked, or why it failed. */
		error: () => reviewing.error() ?? current()?.task.error(),
		/** The question, and why it could not be asked. */
		Sheet: (): JSX.Element => (
			<>
				<Failure of={reviewing} />
				<Show when={current()} keyed>
					{sending => (
						<Show
							when={sending.asked.isAsked}
							fallback={<Failure of={{ ...sending.task, retry: () => void send(sending, undefined) }} />}
						>
							{question(sending)}
						</Show>
					)}
				</Show>
			</>
		),
	}

	function question(sending: Sending): JSX.Element {
		const { asked, task } = sending
		return (
			<EngineProvider engine={connection.engine}>
				<WriteSheet
					title={asked.label}
					connection={connection}
					words={asked.statements.length === 1 ? `This ${noun(asked)} is sent:` : `These ${noun(asked)} are sent:`}
					writes={asked.statements}
					destroyed={asked.statements.some(isDestructive) ? connection.name : undefined}
					fault={task.error()}
					yes={asked.label}
					no={task.isRunning() ? 'Stop' : 'Leave it'}
					isBusy={task.isRunning()}
					whileBusy={
						<Show when={task.isRunning()}>
							<Show when={task.progress()?.message}>
								{message => (
									<span class="quiet" role="status">
										{message()}
									</span>
								)}
							</Show>
							<Show when={onAside}>
								<button type="button" class="button" onClick={() => goOnAside(sending)}>
									Run in the background
								</button>
							</Show>
						</Show>
					}
					onYes={typed => void send(sending, typed)}
					stops={{ question: `${asked.label}: stop it?`, leave: 'Stop', keep: 'Go on' }}
					onNo={() => (task.isRunning() ? stop(sending) : close(sending))}
				/>
			</EngineProvider>
		)
	}
}

const isDestructive = ({ access }: ReviewedStatement) => access === 'destructive'
