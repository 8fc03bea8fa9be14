import { createSignal, type JSX, Show } from 'solid-js'
import type { Review, ReviewedStatement } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'

/** An action of the driver: one or more statements of its console. */
export interface ConsoleAction {
	readonly label: string
	readonly text: string
}

interface Asked extends Review, ConsoleAction {
	readonly statements: readonly ReviewedStatement[]
}

/** Shows the statements of an action, and sends them one after the other if the user agrees. */
export function createActionRun(connection: TabConnection, onDone: () => void) {
	const host = useHost()
	const on = { connection: connection.id }
	const [asking, setAsking] = createSignal<Asked>()
	/** How many statements of the shown action were sent. After a failure, the next attempt continues after them. */
	let sent = 0

	const reviewing = createTask(async (call, { label, text }: ConsoleAction) => {
		const verdicts = await host.call('console.analyse', { ...on, text }, call)
		const statements = verdicts.map(({ start, end }) => ({ text: text.slice(start, end) }))
		const shown = await host.call('console.review', { ...on, statements }, call)
		sent = 0
		setAsking({ label, text, ...shown })
	})
	const acting = createTask(async (call, { review, statements }: Asked, typed: string | undefined) => {
		for (const { text } of statements.slice(sent)) {
			const [verdict] = await host.call('console.analyse', { ...on, text }, call)
			if (verdict === undefined) throw new Error('The driver returned a statement that it cannot classify.')
			const statement = { ...verdict, text }
			await host.call('console.run', { ...on, statement, maxRows: 1, review, typed }, call)
			sent++
		}
		close()
		onDone()
	})
	function close(): void {
		acting.clear()
		if (sent > 0 && asking() && sent < (asking()?.statements.length ?? 0)) onDone()
		setAsking(undefined)
	}
	const noun = (action: Asked) => connection.engine.console.noun[action.statements.length === 1 ? 'one' : 'many']

	return {
		ask: (action: ConsoleAction) => void reviewing.run(action),
		/** The question, and why it could not be asked. */
		Sheet: (): JSX.Element => (
			<>
				<Failure of={reviewing} />
				<Show when={asking()} keyed>
					{action => (
						<WriteSheet
							title={action.label}
							connection={connection}
							words={
								action.statements.length === 1 ? `This ${noun(action)} is sent:` : `These ${noun(action)} are sent:`
							}
							writes={action.statements}
							destroyed={action.statements.some(({ access }) => access === 'destructive') ? connection.name : undefined}
							fault={acting.error()}
							yes={action.label}
							no="Leave it"
							isBusy={acting.isRunning()}
							onYes={typed => void acting.run(action, typed)}
							onNo={close}
						/>
					)}
				</Show>
			</>
		),
	}
}
