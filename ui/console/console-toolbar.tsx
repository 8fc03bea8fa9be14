import Braces from 'lucide-solid/icons/braces'
import Clock from 'lucide-solid/icons/clock'
import Copy from 'lucide-solid/icons/copy'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import ListTree from 'lucide-solid/icons/list-tree'
import PanelBottom from 'lucide-solid/icons/panel-bottom'
import PanelRight from 'lucide-solid/icons/panel-right'
import Play from 'lucide-solid/icons/play'
import Save from 'lucide-solid/icons/save'
import TextAlignStart from 'lucide-solid/icons/text-align-start'
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { MoreMenu } from '../controls/more-menu.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { Toolbar } from '../controls/toolbar.tsx'
import type { Engine } from '../state/engine.tsx'
import { counted } from '../words/format.ts'
import { keysText } from '../words/keys.ts'
import type { OpenConsole } from './console.ts'

const searchPathTip =
	'The schema that statements search first. With another one, a session begins: without settings and temporary tables of this one.'

/** The buttons of a console, and the file that it shows. */
export function ConsoleToolbar(props: {
	readonly console: OpenConsole
	readonly language: Engine['console']
	readonly rowNoun: Engine['rowNoun']
	/** Of the server, that of the connection first. */
	readonly databases: readonly string[]
	/** Of the database in which statements run. */
	readonly schemas: readonly string[]
	onHistory(): void
	onVariables(): void
	/** Whether the results are below the text. */
	readonly isBelow: boolean
	onLayout(): void
}): JSX.Element {
	const { runNearest, runAll, format, copyNearest, saved } = props.console
	const entries = (): readonly (MenuEntry | 'line')[] => {
		const { canFormat, canExplain, canPlan, copiesAs, takesParameters } = props.language
		return [
			...(canExplain && canPlan
				? [{ label: 'Show the plan', Icon: ListTree, keys: 'Mod+Shift+E', run: props.console.planNearest }]
				: []),
			...(canFormat ? [{ label: 'Format', Icon: TextAlignStart, keys: 'Alt+Shift+F', run: format }] : []),
			...(copiesAs === undefined ? [] : [{ label: `Copy as ${copiesAs}`, Icon: Copy, run: copyNearest }]),
			{ label: 'Save under a name', Icon: Save, keys: 'Mod+Shift+S', run: saved.saveAs },
			'line',
			{ label: 'Variables', Icon: Braces, run: props.onVariables },
			...(takesParameters ? [{ label: quotesTitle(props.console), run: props.console.toggleQuotes }] : []),
			{
				label: `Results ${props.isBelow ? 'beside' : 'below'} the text`,
				Icon: props.isBelow ? PanelRight : PanelBottom,
				run: props.onLayout,
			},
		]
	}
	const schemaId = createUniqueId()
	return (
		<Toolbar class="toolbar" label="Console">
			<button
				type="button"
				class="button primary"
				aria-label="Run"
				title={`Runs the ${props.language.noun.one} at the cursor or below it, or the selected ones`}
				onClick={runNearest}
			>
				<Play size={13} /> Run <kbd>{keysText('Mod+Enter')}</kbd>
			</button>
			<button type="button" class="button" title={keysText('Mod+Shift+Enter')} onClick={runAll}>
				Run all
			</button>
			<Show when={props.language.canRehearse}>
				<button
					type="button"
					class="button"
					title={`Runs the ${props.language.noun.one}, shows what it did and rolls it back (${keysText('Mod+Alt+Enter')})`}
					onClick={props.console.tryNearest}
				>
					<FlaskConical size={13} /> Try
				</button>
			</Show>
			<Show when={props.language.canExplain}>
				<button
					type="button"
					class="button"
					aria-label="Explain by running it"
					title={`Explain: runs the ${props.language.noun.one} if it only reads, and measures it (${keysText('Mod+E')})`}
					onClick={props.console.explainNearest}
				>
					<ListTree size={13} /> <span class="button-word">Explain</span>
				</button>
			</Show>
			<Show when={props.databases.length > 1}>
				<Choice
					label="Database"
					tip="The database in which statements run"
					of={props.console}
					options={props.databases}
					unnamed="no database"
					value={props.console.namespace().database ?? props.databases[0] ?? ''}
					onChange={name => props.console.setNamespace({ database: name === props.databases[0] ? undefined : name })}
				/>
			</Show>
			<Show when={props.schemas.length > 1}>
				<label class="console-path" for={schemaId}>
					<span class="button-word quiet">Search path</span>
					<Choice
						id={schemaId}
						label="Schema"
						tip={searchPathTip}
						of={props.console}
						options={['', ...props.schemas]}
						unnamed="default"
						value={props.console.namespace().schema ?? ''}
						onChange={name => props.console.setNamespace({ ...props.console.namespace(), schema: name || undefined })}
					/>
				</label>
			</Show>
			<Show when={saved.file()} fallback={<span class="grow" />}>
				{file => (
					<span class="quiet console-tip" title={file().path}>
						{file().path}
						{saved.isEdited() ? ' · not saved' : ''}
					</span>
				)}
			</Show>
			{/* What is open is ended first, and its buttons take the room. */}
			<Show when={props.language.transaction?.begin && props.console.transaction() === undefined}>
				<span title="Manual: writes begin a transaction, which you commit or roll back">
					<Segmented
						label="Commit"
						options={commits}
						value={props.console.isManual() ? 'manual' : 'auto'}
						onChange={props.console.toggleManual}
					/>
				</span>
			</Show>
			<Show when={props.console.transaction() ?? (props.console.isManual() && 'none')}>
				{state => (
					<fieldset class="transaction" aria-label="Transaction">
						<Show when={props.console.transaction()}>
							{open => <span class="badge">{transactionWords(open(), props.console.changed(), props.rowNoun)}</span>}
						</Show>
						<Show when={props.language.transaction}>
							<Show when={state() !== 'failed'}>
								<button
									type="button"
									class="button small primary"
									disabled={state() === 'none'}
									onClick={() => props.console.commit()}
								>
									Commit
								</button>
							</Show>
							<button
								type="button"
								class="button small"
								disabled={state() === 'none'}
								onClick={() => props.console.rollBack()}
							>
								Roll back
							</button>
						</Show>
					</fieldset>
				)}
			</Show>
			<IconButton label="History" word="History" tip={`History (${keysText('Mod+Alt+H')})`} onClick={props.onHistory}>
				<Clock size={15} />
			</IconButton>
			<IconButton label="Save" word="Save" tip={`Save (${keysText('Mod+S')})`} onClick={saved.save}>
				<Save size={15} />
			</IconButton>
			<MoreMenu entries={entries()} />
		</Toolbar>
	)
}

/** A choice of where a console looks up names. It waits for an open transaction, which ends with its session. */
function Choice(props: {
	readonly id?: string
	readonly label: string
	readonly tip: string
	readonly of: OpenConsole
	readonly options: readonly string[]
	/** What the option without a name is called. */
	readonly unnamed?: string
	readonly value: string
	onChange(value: string): void
}): JSX.Element {
	return (
		<select
			id={props.id}
			aria-label={props.label}
			title={props.of.transaction() ? 'Commit or roll back first: the transaction ends with its session.' : props.tip}
			class="console-namespace"
			disabled={props.of.transaction() !== undefined || props.of.isRunning()}
			value={props.value}
			onChange={event => props.onChange(event.currentTarget.value)}
		>
			<For each={props.options}>
				{name => (
					// The value of the select is set before it has options.
					<option value={name} selected={name === props.value}>
						{name || props.unnamed}
					</option>
				)}
			</For>
		</select>
	)
}

const commits = [
	{ id: 'auto', label: 'Auto-commit' },
	{ id: 'manual', label: 'Manual' },
] as const

function transactionWords(state: 'open' | 'failed', changed: number, rowNoun: Engine['rowNoun']): string {
	if (state === 'failed') return 'Transaction failed'
	return changed === 0 ? 'Transaction open' : `Transaction open, ${counted(changed, rowNoun)} changed`
}

/** The command for places such as `':code'`. */
export const quotesTitle = ({ asksInQuotes }: Pick<OpenConsole, 'asksInQuotes'>) =>
	asksInQuotes() ? 'Do not ask for :name in quotes' : 'Also ask for :name in quotes'
