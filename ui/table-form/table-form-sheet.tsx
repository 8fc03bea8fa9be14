import FlaskConical from 'lucide-solid/icons/flask-conical'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { createEffect, createSignal, createUniqueId, For, type JSX, onCleanup, Show } from 'solid-js'
import type { TableForm, TableFormPlace } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { StatementText } from '../controls/statement-text.tsx'
import { showToast } from '../controls/toasts.tsx'
import { createActionRun } from '../facts/action-run.tsx'
import { useHost } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { counted, milliseconds } from '../words/format.ts'
import { keysText, pressedKeys } from '../words/keys.ts'
import { cannotWrite } from '../words/safe-mode.ts'
import { changeWords } from './draft.ts'
import { createEditedTable, type EditedTable } from './edited-table.ts'
import { ColumnRows, IndexRows, KeyRows } from './form-rows.tsx'

interface SheetProps {
	readonly connection: TabConnection
	readonly place: TableFormPlace
	/** Opens the statements in a console. */
	onConsole(text: string, database: string | undefined): void
	/** Opens the table that was made. */
	onOpen(path: readonly string[], name: string): void
	/** Called after the table was made or changed. */
	onSaved(): void
	onClose(): void
}

/** The form of a new table or of one that exists: what it has, the statements of a change, and what these cost and lose. */
export function TableFormSheet(props: SheetProps): JSX.Element {
	const host = useHost()
	const { connection, place } = props
	const reading = createReading(call => host.call('tables.readForm', { connection: connection.id, place }, call))
	const noun = connection.engine.tableNoun.one.toLowerCase()
	const title = () =>
		'table' in place
			? `Structure of ${place.table}`
			: ['New', noun, ...(place.path.length > 0 ? ['in', place.path.join('.')] : [])].join(' ')
	const [isHeld, setHeld] = createSignal(false)
	return (
		<Dialog
			title={`${title()} on ${connection.name}`}
			size="full"
			isHeld={isHeld()}
			isProduction={connection.view.isProduction}
			onClose={props.onClose}
		>
			<Show
				when={reading.value()}
				fallback={
					<div class="dialog-body">
						<Failure of={reading} />
						<Show when={reading.isRunning()}>
							<ProgressBar progress={undefined} label="Reading" />
						</Show>
					</div>
				}
			>
				{form => <Editor {...props} form={form()} onHeld={setHeld} />}
			</Show>
		</Dialog>
	)
}

function Editor(props: SheetProps & { readonly form: TableForm; onHeld(isHeld: boolean): void }): JSX.Element {
	const { connection, form } = props
	const isNew = !('table' in props.place)
	const table = createEditedTable(connection, form, isNew)
	const id = createUniqueId()
	const name = () => table.draft().name.trim() || connection.engine.tableNoun.one.toLowerCase()
	const label = () => `${isNew ? 'Create' : 'Change'} ${table.before?.name ?? name()}`
	const actions = createActionRun(connection, () => {
		const [made, path] = [name(), form.definition.path]
		if (isNew) showToast(`Created ${made}.`, { label: 'Open', run: () => props.onOpen(path, made) })
		else showToast(`Changed ${made}.`)
		props.onSaved()
		props.onClose()
	})
	const text = () => table.statements().join('\n')
	const refused = () => cannotWrite(connection.name, connection.view)?.update
	const isReady = () => table.statements().length > 0 && !actions.isUnderWay() && refused() === undefined
	function save(): void {
		if (!isReady()) return
		actions.ask({
			label: label(),
			text: text(),
			database: form.database,
			isWhole: form.savesWhole === true,
			isShown: true,
		})
	}
	createEffect(() => props.onHeld(table.changes() > 0))
	function onKeyDown(event: KeyboardEvent): void {
		if (pressedKeys(event) !== 'Mod+S') return
		event.preventDefault()
		save()
	}
	// Of the document: a button that is disabled while it works loses the focus to the sheet around the form.
	document.addEventListener('keydown', onKeyDown)
	onCleanup(() => document.removeEventListener('keydown', onKeyDown))
	return (
		<div class="table-form">
			<div class="table-form-panes">
				<div class="table-form-parts">
					<div class="form-names">
						<label for={`${id}-name`}>Name</label>
						<input
							id={`${id}-name`}
							type="text"
							autocomplete="off"
							spellcheck={false}
							ref={field => queueMicrotask(() => field.focus())}
							value={table.draft().name}
							onInput={event => table.setName(event.currentTarget.value)}
						/>
						<label for={`${id}-comment`}>Comment</label>
						<input
							id={`${id}-comment`}
							type="text"
							autocomplete="off"
							value={table.draft().comment}
							onInput={event => table.setComment(event.currentTarget.value)}
						/>
					</div>
					<ColumnRows table={table} />
					<KeyRows table={table} />
					<IndexRows table={table} />
					<Show when={form.untouched.length > 0}>
						<section aria-label="Not changed here">
							<header class="form-part-head">
								<h3>Not changed here</h3>
								<span class="quiet">{form.untouched.length}</span>
							</header>
							<ul class="form-untouched">
								<For each={form.untouched}>{part => <li>{part}</li>}</For>
							</ul>
						</section>
					</Show>
				</div>
				<StatementsPane
					table={table}
					connection={connection}
					onConsole={() => props.onConsole(text(), form.database)}
				/>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" disabled={table.changes() === 0} onClick={table.discard}>
					Discard
				</button>
				<span class="quiet">
					{keysText('Mod+Enter')} adds a row, {keysText('Mod+Delete')} drops it, {keysText('Alt+ArrowUp')} and{' '}
					{keysText('Alt+ArrowDown')} move it.
				</span>
				<span class="grow" />
				<button type="button" class="button" disabled={!isReady() || table.trying.isRunning()} onClick={table.try}>
					<FlaskConical size={14} />
					Try
				</button>
				<button type="button" class="button primary" disabled={!isReady()} onClick={save}>
					{label()} <kbd>{keysText('Mod+S')}</kbd>
				</button>
			</footer>
			<div class="table-form-question">
				<actions.Sheet />
			</div>
		</div>
	)
}

/** The statements of the change, and what a try of them told. */
function StatementsPane(props: {
	readonly table: EditedTable
	readonly connection: TabConnection
	onConsole(): void
}): JSX.Element {
	const { table } = props
	const noun = props.connection.engine.console.noun
	const statements = () => table.statements()
	return (
		<section class="table-form-pane" aria-label="Statements">
			<header class="form-part-head">
				<h3>{table.changes() === 0 ? 'No changes yet' : changeWords(table.changes())}</h3>
				<Show when={statements().length > 0}>
					<span class="quiet">{counted(statements().length, noun)}</span>
				</Show>
				<span class="grow" />
				<CopyButton label={`Copy the ${noun.many}`} text={() => statements().join('\n')} />
				<IconButton label={`Open the ${noun.many} in the console`} isSmall onClick={() => props.onConsole()}>
					<SquareTerminal size={14} />
				</IconButton>
			</header>
			<Show when={cannotWrite(props.connection.name, props.connection.view)?.update}>
				{why => <Notice kind="info">{why()}</Notice>}
			</Show>
			<Show when={table.fault()}>{fault => <Notice kind="info">{fault()}</Notice>}</Show>
			<ol class="form-statements" aria-busy={table.isStale()}>
				<For each={statements()}>
					{text => (
						<li>
							<pre tabindex={0}>
								<StatementText text={text} language={props.connection.engine.console} />
							</pre>
						</li>
					)}
				</For>
			</ol>
			<Show when={table.form.notice}>{notice => <p class="form-note quiet">{notice()}</p>}</Show>
			<Tried table={table} />
		</section>
	)
}

function Tried(props: { readonly table: EditedTable }): JSX.Element {
	const { trying } = props.table
	return (
		<>
			<Failure of={trying} />
			<Show when={trying.isRunning()}>
				<p class="form-note quiet" role="status">
					Trying …
				</p>
			</Show>
			<Show when={trying.isRunning() ? undefined : trying.value()}>
				{tried => (
					<section class="form-tried" aria-label="Tried">
						<header>
							<h3>{tried().untried === undefined && tried().fault === undefined ? 'Tried' : 'Not tried to its end'}</h3>
							<Show when={tried().tookMs !== undefined}>
								<span class="quiet">{`ran in ${milliseconds(tried().tookMs ?? 0)} ms and was rolled back`}</span>
							</Show>
						</header>
						<Show when={tried().fault}>{fault => <Notice kind="error">{fault()}</Notice>}</Show>
						<Show when={tried().untried}>{reason => <p class="quiet">{reason()}</p>}</Show>
						<dl>
							<For each={tried().facts}>
								{({ name, value, state }) => (
									<div>
										<dt>{name}</dt>
										<dd class={`fact-${state ?? 'plain'}`}>{value}</dd>
									</div>
								)}
							</For>
						</dl>
					</section>
				)}
			</Show>
		</>
	)
}
