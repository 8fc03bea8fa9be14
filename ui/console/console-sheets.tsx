import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import type { RequestPlace, ReviewedStatement } from '../../host/api/api.ts'
import { Picker } from '../controls/picker.tsx'
import { WriteSheet } from '../controls/write-sheet.tsx'
import { NameSheet } from '../requests/name-sheet.tsx'
import { VariablesSheet, variablesIn } from '../requests/variables-sheet.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { count } from '../words/format.ts'
import { ChangedFileSheet } from './changed-file-sheet.tsx'
import type { OpenConsole } from './console.ts'
import { ExplainSheet } from './explain-sheet.tsx'
import { pastPick } from './history.ts'

/** What a console asks or shows over the window. */
export function ConsoleSheets(props: {
	readonly console: OpenConsole
	readonly connection: TabConnection
	readonly isHistoryOpen: boolean
	readonly areVariablesOpen: boolean
	onHistoryClosed(): void
	onVariablesClosed(): void
}): JSX.Element {
	const { asking, editor, history, saved, stopWaiting, text, waiting } = props.console
	const host = useHost()
	const { one, many } = props.connection.engine.console.noun
	const [places, setPlaces] = createSignal<readonly RequestPlace[]>(['own'])
	createEffect(
		on(saved.isNaming, async isNaming => {
			if (!isNaming) return
			const settings = await host.call('settings.read', {}).catch(() => undefined)
			setPlaces(settings?.['requests.folder'] ? ['own', 'shared'] : ['own'])
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
					places={places()}
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
			<Show when={props.console.explained()}>
				{explaining => <ExplainSheet explaining={explaining()} onClose={props.console.closeExplained} />}
			</Show>
			<Show when={asking()} keyed>
				{question => (
					<WriteSheet
						title={titleOf(question.writes, one)}
						connection={props.connection}
						words={destroys(question.writes) ? 'It cannot be undone.' : 'What is sent, in this order:'}
						writes={question.writes}
						destroyed={destroys(question.writes) ? props.connection.name : undefined}
						yes={question.writes.length === 1 ? 'Run it' : `Run all ${count(question.writes.length)}`}
						onYes={typed => question.answer({ typed })}
						onNo={() => question.answer(undefined)}
					/>
				)}
			</Show>
		</>
	)
}

const nextOf = (run: { again(): void } | undefined) => run && { label: 'Save and run', run: run.again }

/** A destructive statement may delete, replace or change much. Only some drivers know what. */
function titleOf(writes: readonly ReviewedStatement[], noun: string): string {
	if (!destroys(writes)) return 'Write'
	return writes.some(write => write.destroys !== undefined) ? 'Delete data' : `Run a destructive ${noun}`
}

const destroys = (writes: readonly ReviewedStatement[]) => writes.some(({ access }) => access === 'destructive')
