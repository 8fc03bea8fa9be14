import Activity from 'lucide-solid/icons/activity'
import Braces from 'lucide-solid/icons/braces'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import Columns2 from 'lucide-solid/icons/columns-2'
import Copy from 'lucide-solid/icons/copy'
import CopyPlus from 'lucide-solid/icons/copy-plus'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import TableProperties from 'lucide-solid/icons/table-properties'
import Undo2 from 'lucide-solid/icons/undo-2'
import Workflow from 'lucide-solid/icons/workflow'
import X from 'lucide-solid/icons/x'
import {
	createEffect,
	createMemo,
	createSignal,
	createUniqueId,
	For,
	type JSX,
	on,
	onCleanup,
	onMount,
	Show,
} from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { type MenuEntry, WithMenu } from '../../controls/context-menu.tsx'
import { copyText } from '../../controls/copy-button.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Picker } from '../../controls/picker.tsx'
import { connectionColour } from '../../words/connection-colour.ts'
import { counted } from '../../words/format.ts'
import { keysText } from '../../words/keys.ts'
import type { OpenTabs } from './open-tabs.ts'
import type { Tab } from './tab-kinds.tsx'
import type { PaneSide } from './tab-panes.ts'

/** A table's name with its schema, else the title. */
const wholeName = (tab: Tab) =>
	tab.kind === 'table' && tab.place.table.endsWith(tab.title) ? tab.place.table : tab.title

/** Returns what a tab needs beside its title: the schema and the connection in which it differs from tabs of the same title. */
function apartFrom(tabs: readonly Tab[], tab: Tab): string {
	const twins = tabs.filter(other => other.title === tab.title)
	const differs = (part: (of: Tab) => string) => twins.some(other => part(other) !== part(tab))
	const schema = (of: Tab) => wholeName(of).slice(0, -of.title.length).replace(/\W$/, '')
	const parts = [differs(schema) ? schema(tab) : '', differs(of => of.connection.id) ? tab.connection.name : '']
	return parts.filter(part => part !== '').join(', ')
}

/** A tab's name while it is edited: Enter or leaving keeps it, Escape reverts it. */
function TabName(props: {
	readonly name: string
	/** Called after Enter or Escape; `undefined` keeps the old name. */
	onKeep(name: string | undefined): void
	onLeave(name: string): void
}): JSX.Element {
	let field!: HTMLInputElement
	let isDone = false
	onMount(() => {
		field.focus()
		field.select()
	})
	return (
		<input
			ref={field}
			class="tab-rename"
			aria-label={`Name of ${props.name}`}
			maxLength={100}
			spellcheck={false}
			value={props.name}
			onKeyDown={event => {
				if (event.key !== 'Enter' && event.key !== 'Escape') return
				event.preventDefault()
				isDone = true
				props.onKeep(event.key === 'Enter' ? field.value : undefined)
			}}
			onBlur={() => {
				if (!isDone) props.onLeave(field.value)
				isDone = true
			}}
		/>
	)
}

const icons = {
	table: Table2,
	console: SquareTerminal,
	facts: Activity,
	object: Braces,
	tables: TableProperties,
	diagram: Workflow,
	form: SlidersHorizontal,
} as const satisfies Readonly<Record<Tab['kind'], unknown>>

/** A tab of the strip: its name or the field that renames it, and its Close. */
function TabLine(props: {
	readonly tab: Tab
	readonly tabs: OpenTabs
	/** Id of the element with the role. */
	readonly id: string
	/** Its schema or connection, where another tab looks alike. */
	readonly apart: string
	onKeyDown(event: KeyboardEvent): void
	onDrag(event: DragEvent): void
	onRenamed(): void
}): JSX.Element {
	const isFront = () => props.tabs.panes.isFront(props.tab.id)
	const about = () => props.tab.about?.()
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a tab moves by its menu and by keys too
		<div
			class="tab"
			classList={{
				active: isFront(),
				short: props.tab.title.length < 7,
				beside: isFront() && props.tabs.activeId() !== props.tab.id,
			}}
			style={{ '--connection': connectionColour(props.tab.connection.view) }}
			data-tab={props.tab.id}
			draggable={props.tabs.renaming() !== props.tab.id}
			onDragStart={event => props.onDrag(event)}
		>
			<Show
				when={props.tabs.renaming() !== props.tab.id}
				fallback={
					<TabName
						name={props.tab.title}
						onKeep={name => {
							props.tabs.endRename(props.tab.id, name)
							props.onRenamed()
						}}
						onLeave={name => props.tabs.endRename(props.tab.id, name)}
					/>
				}
			>
				<button
					type="button"
					role="tab"
					id={props.id}
					class="tab-name"
					aria-selected={isFront()}
					title={[wholeName(props.tab), about(), props.tab.connection.name].filter(Boolean).join(' · ')}
					onClick={() => props.tabs.activate(props.tab.id)}
					onKeyDown={event => props.onKeyDown(event)}
					onDblClick={() => props.tabs.beginRename(props.tab.id)}
					onAuxClick={event => event.button === 1 && props.tabs.close(props.tab.id)}
				>
					<Dynamic component={icons[props.tab.kind]} size={14} />
					<TabTitle title={props.tab.title} />
					{/* The name stays what commands and the list of tabs call it. The description has this too. */}
					<Show when={about()}>
						{text => (
							<span class="tab-about" aria-hidden="true">
								{text()}
							</span>
						)}
					</Show>
					<Show when={props.apart}>{text => <span class="tab-apart">{text()}</span>}</Show>
					<Show when={props.tabs.staged(props.tab.id)}>
						{staged => (
							<span class="tab-dot" title={`${counted(staged(), { one: 'change', many: 'changes' })} not saved`} />
						)}
					</Show>
				</button>
			</Show>
			<IconButton label={`Close ${props.tab.title}`} isSmall onClick={() => props.tabs.close(props.tab.id)}>
				<X size={13} />
			</IconButton>
		</div>
	)
}

/** The open tabs, each in its connection's colour, and a list of all of them. */
export function TabStrip(props: {
	readonly tabs: OpenTabs
	/** The pane whose tabs it shows, if there are two. */
	readonly side: PaneSide | undefined
	/** A tab is being dragged. */
	onDrag(event: DragEvent, id: string): void
	onReopen(): void
	/** Opens an empty console of the connection in use. */
	onNewConsole(): void
	/** Opens another console with the same text. */
	onDuplicate(tab: Extract<Tab, { kind: 'console' }>): void
}): JSX.Element {
	const id = createUniqueId()
	const tabElementId = (index: number) => `${id}-${index}`
	let strip!: HTMLDivElement
	const [isListOpen, setListOpen] = createSignal(false)
	const all = () => (props.side ? props.tabs.panes.tabsIn(props.side) : props.tabs.tabs())
	const front = () => (props.side ? props.tabs.panes.frontOf(props.side) : props.tabs.activeId())
	const nodeOf = (id: string | undefined) => strip.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id ?? '')}"]`)
	const focusTab = (id: string | undefined) => nodeOf(id)?.querySelector<HTMLElement>('[role="tab"]')?.focus()
	// Memos: other changes of the tabs must not scroll the strip under the pointer.
	const [shown, count] = [createMemo(front), createMemo(() => all().length)]
	const showFront = () => nodeOf(shown())?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
	createEffect(on([shown, count], () => queueMicrotask(showFront)))
	onMount(() => {
		const observer = new ResizeObserver(showFront)
		observer.observe(strip)
		onCleanup(() => observer.disconnect())
	})

	function onKeyDown(event: KeyboardEvent): void {
		const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key]
		if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return
		event.preventDefault()
		props.tabs.step(step)
		focusTab(front())
	}

	const entries = (tab: Tab): readonly (MenuEntry | 'line')[] => [
		{ label: 'Close', Icon: X, keys: 'Mod+W', run: () => props.tabs.close(tab.id) },
		{ label: 'Close others', keys: 'Mod+K O', run: () => props.tabs.closeOthers(tab.id) },
		{ label: 'Close to the right', run: () => props.tabs.closeToTheRight(tab.id) },
		{
			label: 'Open the last closed tab',
			Icon: Undo2,
			keys: 'Mod+Shift+T',
			isDisabled: props.tabs.closed().length === 0,
			run: () => props.onReopen(),
		},
		'line',
		{
			label: 'Move to other pane',
			Icon: Columns2,
			keys: 'Mod+K M',
			isDisabled: props.tabs.tabs().length < 2,
			run: () => props.tabs.panes.moveToOther(tab.id),
		},
		...(tab.rename ? [{ label: 'Rename', Icon: Pencil, keys: 'F2', run: () => props.tabs.beginRename(tab.id) }] : []),
		...(tab.kind === 'console' ? [{ label: 'Duplicate', Icon: CopyPlus, run: () => props.onDuplicate(tab) }] : []),
		{ label: 'Copy name', Icon: Copy, run: () => void copyText(tab.kind === 'table' ? tab.place.table : tab.title) },
	]

	return (
		<div class="tab-bar">
			<div class="tab-strip">
				{/* The tabs belong to it by their ids: it may hold nothing else, and each stands beside its Close. */}
				<div
					class="tab-list"
					role="tablist"
					aria-label={props.side === 'right' ? 'Open tables on the right' : 'Open tables'}
					aria-owns={all()
						.flatMap((tab, index) => (props.tabs.renaming() === tab.id ? [] : [tabElementId(index)]))
						.join(' ')}
				/>
				<div ref={strip} class="tabs">
					<For each={all()}>
						{(tab, index) => (
							<WithMenu class="tab-place" menu={() => ({ label: tab.title, entries: entries(tab) })}>
								<TabLine
									tab={tab}
									tabs={props.tabs}
									id={tabElementId(index())}
									apart={apartFrom(props.tabs.tabs(), tab)}
									onKeyDown={onKeyDown}
									onDrag={event => props.onDrag(event, tab.id)}
									onRenamed={() => queueMicrotask(() => focusTab(tab.id))}
								/>
							</WithMenu>
						)}
					</For>
				</div>
			</div>
			<IconButton label="New console" tip={`New console (${keysText('Mod+T')})`} isSmall onClick={props.onNewConsole}>
				<Plus size={14} />
			</IconButton>
			<IconButton label="All open tabs" isSmall onClick={() => setListOpen(true)}>
				<ChevronDown size={14} />
			</IconButton>
			<Show when={isListOpen()}>
				<Picker
					label="Open tabs"
					placeholder="Go to an open tab"
					nothing="No open tab matches."
					picks={all().map(tab => ({
						id: tab.id,
						label: wholeName(tab),
						detail: tab.connection.name,
						run: () => void props.tabs.activate(tab.id),
					}))}
					onClose={() => setListOpen(false)}
				/>
			</Show>
		</div>
	)
}

/** A title that keeps the number at its end where it is too long: `Con… 2`. */
function TabTitle(props: { readonly title: string }): JSX.Element {
	const number = () => / \d+$/.exec(props.title)?.[0]
	return (
		<Show when={number()} fallback={<span class="tab-title">{props.title}</span>}>
			{number => (
				// Its parts are read as one word.
				<span class="tab-title numbered" role="img" aria-label={props.title}>
					<span class="tab-title">{props.title.slice(0, -number().length)}</span>
					<span class="tab-number">{number()}</span>
				</span>
			)}
		</Show>
	)
}
