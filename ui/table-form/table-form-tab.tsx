import Activity from 'lucide-solid/icons/activity'
import FlaskConical from 'lucide-solid/icons/flask-conical'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import { createEffect, createSignal, createUniqueId, For, type JSX, on, onCleanup, Show } from 'solid-js'
import type { TableForm, TableFormPlace } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { StatementText } from '../controls/statement-text.tsx'
import { showToast } from '../controls/toasts.tsx'
import { Toolbar } from '../controls/toolbar.tsx'
import { createActionRun } from '../facts/action-run.tsx'
import { useHost } from '../state/host.tsx'
import { askBeforeLeaving } from '../state/leaving.ts'
import { countPane } from '../state/panes-beside.ts'
import type { TabConnection, TabOf, TabProps } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { counted, milliseconds } from '../words/format.ts'
import { keysText, pressedKeys } from '../words/keys.ts'
import { cannotWrite } from '../words/safe-mode.ts'
import { changeWords } from './draft.ts'
import { createEditedTable, type EditedTable } from './edited-table.ts'
import { ColumnRows, IndexRows, KeyRows } from './form-rows.tsx'

export interface TableFormTab extends TabOf<'form'> {
	/** Takes what the form has: the number of changes, and the database of the table. */
	take(changes: number, database: string | undefined): void
	database(): string | undefined
	/** Called after a table was made or changed. */
	onTablesChanged(): void
}

/** The form of a new table or of one that exists: what it has, the statements of a change, and what these cost and lose. */
export function TableFormView(props: TabProps<TableFormTab>): JSX.Element {
	const host = useHost()
	const { connection, place } = props.tab
	const reading = createReading(call =>
		host.call('tables.readForm', { connection: connection.id, place: formPlaceOf(place) }, call),
	)
	const [form, setForm] = createSignal<TableForm>()
	// A form that is read again never takes the place of changes, or of the field that the user is in.
	createEffect(
		on(reading.value, found => {
			const shown = form()
			if (shown && (props.tab.staged?.() !== 0 || JSON.stringify(found) === JSON.stringify(shown))) return
			setForm(found)
		}),
	)
	function readSaved(): void {
		setForm(undefined)
		void reading.run()
	}
	// It may have changed while another tab was in front.
	createEffect(
		on(
			() => props.isShown,
			isShown => isShown && props.tab.staged?.() === 0 && void reading.run(),
			{ defer: true },
		),
	)
	countPane(() => props.isShown)
	return (
		<section class="table-form" classList={{ hidden: !props.isShown }} role="tabpanel" aria-label={props.tab.title}>
			<Failure of={reading} />
			<Show
				when={form()}
				keyed
				fallback={
					<Show when={reading.isRunning()}>
						<ProgressBar progress={undefined} label="Reading" />
					</Show>
				}
			>
				{form => <Editor {...props} form={form} onChanged={readSaved} />}
			</Show>
		</section>
	)
}

const formPlaceOf = ({ table, path = [] }: TableFormTab['place']): TableFormPlace =>
	table === undefined ? { path } : { table }

function Editor(props: TabProps<TableFormTab> & { readonly form: TableForm; onChanged(): void }): JSX.Element {
	const { form } = props
	const { connection, place } = props.tab
	const isNew = place.table === undefined
	const table = createEditedTable(connection, form, isNew)
	const id = createUniqueId()
	const name = () => table.draft().name.trim() || connection.engine.tableNoun.one.toLowerCase()
	const label = () => `${isNew ? 'Create' : 'Change'} ${table.before?.name ?? name()}`
	const actions = createActionRun(connection, {
		saysDone: true,
		onDone: () => {
			const made = { path: form.definition.path, name: name() }
			showToast(
				`${isNew ? 'Created' : 'Changed'} ${made.name}.`,
				isNew ? { label: 'Open', run: () => props.onMade(made) } : undefined,
			)
			props.tab.take(0, form.database)
			props.tab.onTablesChanged()
			if (place.table === undefined) props.onClose()
			else if (made.name === table.before?.name) props.onChanged()
			else props.onRenamed(place.table, made)
		},
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
	createEffect(() => props.tab.take(table.changes(), form.database))
	askBeforeLeaving(() => table.changes() > 0)
	function onKeyDown(event: KeyboardEvent): void {
		if (!props.isActive || pressedKeys(event) !== 'Mod+S') return
		event.preventDefault()
		save()
	}
	let parts!: HTMLDivElement
	/** The key that adds a row adds a column from the fields above the rows. */
	function onNameKey(event: KeyboardEvent): void {
		if (pressedKeys(event) !== 'Mod+Enter') return
		event.preventDefault()
		const at = table.add('columns')
		const added = () => parts.querySelectorAll('.form-columns tbody tr')[at]?.querySelector('input')
		queueMicrotask(() => added()?.focus())
	}
	// Of the document: a button that is disabled while it works loses the focus to the sheet around the form.
	document.addEventListener('keydown', onKeyDown)
	onCleanup(() => document.removeEventListener('keydown', onKeyDown))
	return (
		<>
			<header class="table-form-head">
				<h2 class="page-name">{place.table ?? props.tab.title}</h2>
				<span class="quiet">{connection.name}</span>
				<span class="grow" />
				<Show when={place.table}>
					{shown => (
						<Toolbar class="toolbar-buttons" label="Views">
							<IconButton label="Rows" word="Rows" onClick={() => props.onTable(shown())}>
								<Table2 size={15} />
							</IconButton>
							<Show when={connection.engine.hasFacts}>
								<IconButton label="About" word="About" onClick={() => props.onFacts(shown())}>
									<Activity size={15} />
								</IconButton>
							</Show>
						</Toolbar>
					)}
				</Show>
			</header>
			<div class="table-form-panes">
				<div ref={parts} class="table-form-parts">
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
							onKeyDown={onNameKey}
						/>
						<label for={`${id}-comment`}>Comment</label>
						<input
							id={`${id}-comment`}
							type="text"
							autocomplete="off"
							value={table.draft().comment}
							onInput={event => table.setComment(event.currentTarget.value)}
							onKeyDown={onNameKey}
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
				<StatementsPane table={table} connection={connection} onConsole={() => props.onConsole(text())} />
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" disabled={table.changes() === 0} onClick={table.discard}>
					Discard
				</button>
				<span class="quiet form-keys-note">
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
		</>
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
				<span class="quiet">
					{table.preview().length > 0
						? 'preview'
						: statements().length > 0
							? counted(statements().length, noun)
							: undefined}
				</span>
				<span class="grow" />
				<CopyButton label={`Copy the ${noun.many}`} text={() => statements().join('\n')} />
				<IconButton label={`Open the ${noun.many} in the console`} isSmall onClick={() => props.onConsole()}>
					<SquareTerminal size={14} />
				</IconButton>
			</header>
			<Show when={table.changes() === 0}>
				<p class="quiet table-form-hint">The {noun.many} for your changes are shown here, before they are run.</p>
			</Show>
			<Show when={cannotWrite(props.connection.name, props.connection.view)?.update}>
				{why => <Notice kind="info">{why()}</Notice>}
			</Show>
			<Show when={table.fault()}>{fault => <Notice kind="info">{fault()}</Notice>}</Show>
			<ol
				class="form-statements"
				aria-label={table.preview().length > 0 ? 'Preview' : undefined}
				aria-busy={table.isStale()}
			>
				<For each={[...statements(), ...table.preview()]}>
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
