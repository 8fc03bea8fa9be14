import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import type { RequestScope, ReviewedStatement } from '../../host/api/api.ts'
import { effectTitle } from '../controls/effect-title.ts'
import { Picker } from '../controls/picker.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { NameSheet } from '../requests/name-sheet.tsx'
import { VariablesSheet, variablesIn } from '../requests/variables-sheet.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { count } from '../words/format.ts'
import { namespaceWords } from '../words/place-words.ts'
import { ChangedFileSheet } from './changed-file-sheet.tsx'
import type { OpenConsole } from './console.ts'
import { pastPick } from './history.ts'
import { PlacesSheet } from './places-sheet.tsx'
import type { Question } from './runs.ts'
import { TrySheet } from './try-sheet.tsx'

/** What a console asks or shows over the window. */
export function ConsoleSheets(props: {
	readonly console: OpenConsole
	readonly connection: TabConnection
	readonly isHistoryOpen: boolean
	readonly areVariablesOpen: boolean
	onHistoryClosed(): void
	onVariablesClosed(): void
}): JSX.Element {
	const { asking, editor, history, places, saved, stopWaiting, text, waiting } = props.console
	const host = useHost()
	const { one, many } = props.connection.engine.console.noun
	const [scopes, setScopes] = createSignal<readonly RequestScope[]>(['own'])
	createEffect(
		on(saved.isNaming, async isNaming => {
			if (!isNaming) return
			const settings = await host.call('settings.read', {}).catch(() => undefined)
			setScopes(settings?.['requests.folder'] ? ['own', 'shared'] : ['own'])
		}),
	)

	return (
		<>
			<Show when={props.isHistoryOpen}>
				<Picker
					label="History"
					isWide
					placeholder={`Search past ${many} and append one to the console`}
					nothing={`No past ${one} matches.`}
					picks={history.past().map(past => pastPick(past, () => editor.append(past.statement)))}
					onClose={props.onHistoryClosed}
				/>
			</Show>
			<Show when={props.areVariablesOpen || waiting()}>
				<VariablesSheet
					connection={props.connection}
					used={waiting()?.variables ?? variablesIn(text())}
					next={nextOf(waiting())}
					onClose={() => {
						stopWaiting()
						props.onVariablesClosed()
					}}
				/>
			</Show>
			<Show when={saved.isNaming()}>
				<NameSheet
					title={`Save the ${one}`}
					name={saved.nameNow()}
					help="In a folder: reports/By year"
					yes="Save"
					places={scopes()}
					onName={saved.add}
					onClose={saved.stopNaming}
				/>
			</Show>
			<Show when={saved.changed()}>
				{changed => (
					<ChangedFileSheet
						changed={changed()}
						onLoad={() => saved.load(changed().onDisk)}
						onOverwrite={saved.overwrite}
						onClose={saved.leaveChanged}
					/>
				)}
			</Show>
			<Show when={props.console.tried()}>
				{trying => (
					<TrySheet
						trying={trying()}
						text={props.console.triedText()}
						noun={one}
						onRun={() => {
							props.console.closeTried()
							props.console.runTried()
						}}
						onClose={props.console.closeTried}
					/>
				)}
			</Show>
			<Show when={places()} keyed>
				{asked => <PlacesSheet connection={props.connection.id} asked={asked} />}
			</Show>
			<Show when={asking()} keyed>
				{question => (
					<WriteSheet
						title={titleOf(question, one, props.connection.engine.rowNoun)}
						connection={props.connection}
						database={namespaceWords(props.console.namespace())}
						words={wordsOf(question, props.connection.engine.console.transaction !== undefined)}
						writes={question.writes}
						destroyed={destroys(question.writes) ? props.connection.name : undefined}
						yes={question.all === 1 ? 'Run it' : `Run all ${count(question.all)}`}
						onYes={typed => question.answer({ typed })}
						onNo={() => question.answer(undefined)}
					/>
				)}
			</Show>
		</>
	)
}

const nextOf = (run: { again(): void } | undefined) => run && { label: 'Save and run', run: run.again }

/** What a try has counted comes first. Only some drivers know what is lost. A statement with a reason may do more than its text says, or less. */
function titleOf({ writes, reasons }: Question, noun: string, rowNoun: TabConnection['engine']['rowNoun']): string {
	const [first, ...others] = writes
	if (first?.effect && others.length === 0) return effectTitle(first.effect, rowNoun)
	if (!destroys(writes)) return 'Write'
	if (writes.every(write => write.destroys === undefined)) return `Run a destructive ${noun}`
	return reasons.length > 0 ? 'Change or delete data' : 'Delete data'
}

/** Whether it can be undone, and why the driver calls it destructive. */
function wordsOf({ writes, reasons, isUndone }: Question, hasTransactions: boolean): string {
	if (!destroys(writes)) return 'What is sent, in this order:'
	if (isUndone) return [...reasons, 'A rollback of the transaction undoes it.'].join(' ')
	// The effect of such a statement is unknown.
	const isUnsure = hasTransactions && reasons.length > 0
	return [...reasons, isUnsure ? 'A rollback may not undo it.' : 'It cannot be undone.'].join(' ')
}

const destroys = (writes: readonly ReviewedStatement[]) => writes.some(({ access }) => access === 'destructive')
