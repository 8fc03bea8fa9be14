import { stringifyJson } from '@roundhouse/kit/json'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import Download from 'lucide-solid/icons/download'
import Search from 'lucide-solid/icons/search'
import X from 'lucide-solid/icons/x'
import { createEffect, createMemo, createSignal, For, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js'
import type { ResultOf, Row } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { Segmented } from '../controls/segmented.tsx'
import { Splitter } from '../controls/splitter.tsx'
import { formatted } from '../json/lay-out.ts'
import type { ValueUses } from '../json/tree-view.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { createPaneSize } from '../state/pane-size.ts'
import { createTask } from '../state/task.ts'
import { capital, bytes as sizeOf } from '../words/format.ts'
import { pressedKeys } from '../words/keys.ts'
import { type DocumentHandle, type DocumentLook, DocumentView } from './document-view.tsx'
import { FieldsView, type Headline } from './fields-view.tsx'

const looks: readonly DocumentLook[] = ['list', 'tree', 'json']

/** A row as read, and its state here. */
export interface DocumentEdits {
	/** The document with its staged changes; the same bytes if there are none. */
	withStaged(rowId: string, document: Uint8Array): Uint8Array
	/** Stages a text that replaces the document. @returns the reason of a refusal */
	stage(row: { readonly id: string; readonly version?: string }, document: Uint8Array, text: string): string | undefined
}

/** The whole current row, with every number as it came. Changes are staged. */
export function RowPanel(props: {
	readonly connection: string
	readonly table: string
	readonly row: Row | undefined
	/** A new row is chosen, which cannot be read yet. */
	readonly isNew: boolean
	/** Where the row is, if the grid does not show it. */
	readonly note: string | undefined
	/** Whether rows are read as those of a log: fields come first, and the view is remembered apart from other tables. */
	readonly isInTime: boolean
	/** What a row of a log says first. */
	readonly headline: Headline | undefined
	/** Shows another row, counted from the current one. */
	onStep(by: 1 | -1): void
	/** Whether its tab is active. */
	readonly isActive: boolean
	/** Left out if the table is read-only. */
	readonly edits: DocumentEdits | undefined
	readonly valueUses: ValueUses
	/** Whether it holds typed text that is not staged. */
	onTyped(isTyped: boolean): void
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, columnNoun } = useEngine()
	const preferences = usePreferences()
	let handle: DocumentHandle | undefined
	const whole = createTask((call, rowId: string) =>
		host.call('rows.read', { connection: props.connection, table: props.table, rowId }, call),
	)
	const [isTyped, setTyped] = createSignal(false)
	createEffect(() => props.onTyped(isTyped()))
	onCleanup(() => props.onTyped(false))
	// While a row is loading, the previous content stays. A saved row has a new version and replaces the old one.
	createEffect(
		on(
			() => props.row,
			chosen => chosen && void whole.run(chosen.id),
		),
	)
	/** Typed text stays with the document and the version that it was typed in. */
	const shown = createMemo<ResultOf<'rows.read'> | undefined>(before => (isTyped() ? before : whole.value()))
	const document = createMemo(() => {
		const read = shown()
		return read && (props.edits?.withStaged(read.id, read.raw) ?? read.raw)
	})
	const lookKey = () => (props.isInTime ? 'row/look/time' : 'row/look')
	const [look, setLook] = createSignal<DocumentLook>('json')
	createEffect(() => {
		const kept = looks.find(look => look === preferences.get(lookKey()))
		setLook(kept ?? (props.isInTime ? 'list' : 'json'))
	})
	const findTitle = `Find in the ${rowNoun.one}`
	useCommands(() => {
		const isFindable = props.isActive && document() !== undefined
		return isFindable ? [{ id: 'row.find', title: findTitle, keys: ['Mod+F'], isHeardThere: true, run: find }] : []
	})
	const otherLook = () => {
		const shown = look()
		return shown === 'list' ? undefined : shown
	}
	/** Texts are found in the JSON, which shows every value. */
	function find(): void {
		if (look() !== 'json') choose('json')
		handle?.find()
	}
	const size = createPaneSize(preferences, 'row/width', { least: 220, most: 900, initial: 380 })

	function choose(next: DocumentLook): void {
		if (handle?.stage() === false) return
		setLook(next)
		preferences.set(lookKey(), next)
	}
	function close(): void {
		if (handle?.stage() !== false) props.onClose()
	}

	return (
		<>
			<Splitter label={`Width of the ${rowNoun.one}`} size={size} of="after" />
			<aside
				class="row-panel"
				aria-label={capital(rowNoun.one)}
				style={{ width: `${size.value()}px` }}
				on:keydown={event => {
					// The editor of the JSON hears the key itself.
					if (look() === 'json' || pressedKeys(event) !== 'Mod+F') return
					event.preventDefault()
					event.stopPropagation()
					find()
				}}
			>
				<RowPanelHead
					noun={rowNoun.one}
					document={document()}
					look={look()}
					onLook={choose}
					onStep={props.onStep}
					findTitle={findTitle}
					onFind={find}
					onClose={close}
				/>
				<Show when={(whole.error() === undefined || isTyped()) && props.note}>
					{note => <Notice kind="info">{note()}</Notice>}
				</Show>
				<Switch fallback={<p class="quiet row-panel-hint">Choose a row to see it whole.</p>}>
					<Match when={props.isNew}>
						<p class="quiet row-panel-hint">A new {rowNoun.one} is shown here after it is saved.</p>
					</Match>
					<Match when={whole.error() !== undefined && !isTyped()}>
						<Failure of={whole} />
					</Match>
					<Match when={shown()}>
						{read => (
							<>
								<Show when={read().rawCutFrom}>
									<Notice kind="info">It is larger than one answer can be, and is cut here.</Notice>
								</Show>
								<Show
									when={otherLook()}
									fallback={
										<FieldsView
											label={`${capital(columnNoun.many)} of the ${rowNoun.one}`}
											bytes={document() ?? read().raw}
											headline={props.headline}
											uses={props.valueUses}
										>
											<RowFacts row={read()} />
										</FieldsView>
									}
								>
									{look => (
										<>
											<RowFacts row={read()} />
											<DocumentView
												name={capital(rowNoun.one)}
												findLabel={findTitle}
												look={look()}
												id={read().id}
												bytes={document() ?? read().raw}
												onStage={
													props.edits && read().rawCutFrom === undefined
														? text => {
																const { id, version } = read()
																const from = { id, ...(version !== undefined && { version }) }
																return props.edits?.stage(from, document() ?? read().raw, text)
															}
														: undefined
												}
												valueUses={props.valueUses}
												onDirtyChange={setTyped}
												ref={own => {
													handle = own
												}}
											/>
										</>
									)}
								</Show>
							</>
						)}
					</Match>
					<Match when={whole.isRunning()}>
						<p class="quiet row-panel-hint">Loading …</p>
					</Match>
				</Switch>
			</aside>
		</>
	)
}

function RowPanelHead(props: {
	readonly noun: string
	readonly document: Uint8Array | undefined
	readonly look: DocumentLook
	onLook(look: DocumentLook): void
	onStep(by: 1 | -1): void
	readonly findTitle: string
	onFind(): void
	onClose(): void
}): JSX.Element {
	const { columnNoun } = useEngine()
	return (
		<header class="row-panel-head">
			<Show when={props.document} fallback={<span class="grow">{capital(props.noun)}</span>}>
				{shown => (
					<>
						<div class="grow">
							<Segmented
								label={`Show the ${props.noun} as`}
								options={[
									{ id: 'list', label: capital(columnNoun.many) },
									{ id: 'tree', label: 'Tree' },
									{ id: 'json', label: 'JSON' },
								]}
								value={props.look}
								onChange={props.onLook}
							/>
						</div>
						<IconButton label={`Previous ${props.noun}`} isSmall onClick={() => props.onStep(-1)}>
							<ChevronUp size={14} />
						</IconButton>
						<IconButton label={`Next ${props.noun}`} isSmall onClick={() => props.onStep(1)}>
							<ChevronDown size={14} />
						</IconButton>
						<IconButton label={props.findTitle} isSmall onClick={() => props.onFind()}>
							<Search size={14} />
						</IconButton>
						<CopyButton label={`Copy ${props.noun}`} text={() => formatted(shown())} />
						<IconButton
							label={`Save the ${props.noun} to a file`}
							isSmall
							onClick={() => saveFile(`${props.noun}.json`, 'application/json', shown())}
						>
							<Download size={14} />
						</IconButton>
					</>
				)}
			</Show>
			<IconButton label={`Close ${props.noun}`} isSmall onClick={() => props.onClose()}>
				<X size={14} />
			</IconButton>
		</header>
	)
}

/** What the engine says about a row, and its size. */
function RowFacts(props: { readonly row: ResultOf<'rows.read'> }): JSX.Element {
	return (
		<dl class="row-panel-meta">
			<For each={Object.entries(props.row.meta)}>
				{([name, value]) => (
					<>
						<dt>{name}</dt>
						<dd>{typeof value === 'string' ? value : stringifyJson(value)}</dd>
					</>
				)}
			</For>
			<Show when={props.row.jsonNulls?.length ? props.row.jsonNulls : undefined}>
				{names => (
					<>
						<dt>JSON null</dt>
						<dd title="Stored as a value of JSON. Other nulls in this row are NULL.">{names().join(', ')}</dd>
					</>
				)}
			</Show>
			<dt>size</dt>
			<dd>{sizeOf(props.row.rawCutFrom ?? props.row.raw.length)}</dd>
		</dl>
	)
}
