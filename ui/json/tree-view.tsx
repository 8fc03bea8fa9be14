import ChevronRight from 'lucide-solid/icons/chevron-right'
import Copy from 'lucide-solid/icons/copy'
import { createMemo, createSignal, createUniqueId, For, type JSX, onMount, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Column } from '../../host/api/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { KindIcon } from '../controls/kind-icon.tsx'
import { isSameKeys, keysText, pressedKeys } from '../words/keys.ts'
import type { Member } from './members.ts'
import { fieldsOpening, JsonTree, type TreeNode } from './tree.ts'

/** A line as drawn; a new object whenever its text changes. */
interface DrawnLine {
	readonly id: string
	readonly node: TreeNode
	readonly isMore: boolean
	readonly isOpen: boolean
	readonly level: number
	readonly preview: string
}

export interface TreeValue {
	/** The names and places that lead to it. */
	readonly keys: readonly Member['key'][]
	/** The value as JSON. */
	readonly json: string
}

/** What the table of a row knows of its values. */
export interface ValueUses {
	/** Actions for a value, beside copying it. */
	actions(value: TreeValue): readonly MenuEntry[]
	/** The column that has only this value, by the keys of the value. */
	column(keys: TreeValue['keys']): Column | undefined
}

/**
 * JSON as a tree that opens value by value, each with its path. With `isOfFields`, names and values are two columns, and
 * the line that is pointed at or focused has its actions as buttons.
 */
export function TreeView(props: {
	readonly label: string
	readonly bytes: Uint8Array
	readonly uses?: ValueUses | undefined
	readonly isOfFields?: boolean
}): JSX.Element {
	let root!: HTMLDivElement
	const prefix = createUniqueId()
	const tree = createMemo(() => new JsonTree(props.bytes, props.isOfFields ? fieldsOpening : undefined))
	/** The tree is not a signal: it is read again after something was opened. */
	const [changes, setChanges] = createSignal(0)
	const lines = createMemo<readonly DrawnLine[]>(known => {
		changes()
		const before = new Map(known.map(line => [line.id, line]))
		return drawnLines(tree(), prefix, props.isOfFields === true).map(line => {
			const old = before.get(line.id)
			return old && old.node === line.node && old.preview === line.preview && old.isOpen === line.isOpen ? old : line
		})
	}, [])
	const [active, setActive] = createSignal('')
	const current = createMemo(() => lines().find(({ id }) => id === active()) ?? lines()[0])
	const [pointed, setPointed] = createSignal<DrawnLine>()
	const [hasFocus, setFocused] = createSignal(false)
	/** The line that shows its actions. */
	const acting = createMemo(() => {
		if (!props.isOfFields) return undefined
		return pointed() ?? (hasFocus() ? current() : undefined)
	})
	const opens = (node: TreeNode) => tree().opens(node)
	const isWhole = ({ node, isOpen }: DrawnLine) => node.kind === 'text' && isOpen

	function toggle({ node, isMore }: DrawnLine): void {
		if (isMore) tree().more(node)
		else if (!opens(node)) return
		else if (node.isOpen) node.isOpen = false
		else tree().open(node)
		setChanges(count => count + 1)
		// What was opened is seen, from its beginning if it is higher than the view.
		const line = lineOf(node)
		if (line && node.isOpen) document.getElementById(line.id)?.scrollIntoView({ block: 'nearest' })
	}
	function go(line: DrawnLine | undefined): void {
		if (!line) return
		setActive(line.id)
		document.getElementById(line.id)?.scrollIntoView({ block: 'nearest' })
	}
	const lineOf = (node: TreeNode | undefined) => lines().find(line => line.node === node && !line.isMore)

	const actionsOf = (node: TreeNode) => props.uses?.actions({ keys: tree().keys(node), json: tree().json(node) }) ?? []
	/** What can be done with the current value: menu and keys. */
	function entries(): readonly (MenuEntry | 'line')[] {
		const node = current()?.node
		if (!node) return []
		const own = actionsOf(node)
		return [
			...own,
			...(own.length > 0 ? (['line'] as const) : []),
			{ label: 'Copy value', Icon: Copy, keys: 'Mod+C', run: () => void copyText(tree().copy(node)) },
			{ label: 'Copy path', keys: 'Mod+Shift+C', run: () => void copyText(tree().path(node)) },
		]
	}

	function onKeyDown(event: KeyboardEvent): void {
		const line = current()
		if (!line) return
		const index = lines().indexOf(line)
		const { node, isMore } = line
		const keys = pressedKeys(event) ?? ''
		const entry = entries().find(entry => entry !== 'line' && entry.keys !== undefined && isSameKeys(entry.keys, keys))
		// The browser copies a selected part of a text.
		if (keys === 'Mod+C' && getSelection()?.isCollapsed === false) return
		if (entry && entry !== 'line') entry.run()
		else if (event.key === 'ArrowDown') go(lines()[index + 1])
		else if (event.key === 'ArrowUp') go(lines()[index - 1])
		else if (event.key === 'Home') go(lines()[0])
		else if (event.key === 'End') go(lines().at(-1))
		else if (event.key === 'Enter' || event.key === ' ') toggle(line)
		else if (event.key === 'ArrowRight') {
			if (isMore || (opens(node) && !node.isOpen)) toggle(line)
			else if (node.isOpen) go(lines()[index + 1])
		} else if (event.key === 'ArrowLeft') {
			if (!isMore && node.isOpen) toggle(line)
			else go(lineOf(isMore ? node : node.parent))
		} else return
		event.preventDefault()
		event.stopPropagation()
	}

	const menu = () => (current() ? { label: props.label, entries: entries() } : undefined)
	function onClick(line: DrawnLine, at: EventTarget | null): void {
		setActive(line.id)
		// A line that opens or closes is drawn again, which would take the focus from the tree.
		root.focus({ preventScroll: true })
		// A text that is shown whole can be selected.
		if (!isWhole(line) || !(at instanceof Element && at.matches('.tree-value'))) toggle(line)
	}

	return (
		<div class="tree-view" classList={{ 'of-fields': props.isOfFields === true }}>
			<WithMenu class="tree-menu" menu={menu}>
				<div
					ref={root}
					class="tree"
					role="tree"
					aria-label={props.label}
					aria-activedescendant={current()?.id}
					tabIndex={0}
					on:keydown={onKeyDown}
					onFocusIn={() => setFocused(true)}
					onFocusOut={() => setFocused(false)}
					onPointerLeave={() => setPointed(undefined)}
				>
					<For each={lines()}>
						{line => (
							<div
								id={line.id}
								class="tree-line"
								classList={{ active: current() === line, whole: isWhole(line) }}
								role="treeitem"
								aria-level={line.level}
								aria-expanded={opens(line.node) && !line.isMore ? line.isOpen : undefined}
								aria-selected={current() === line}
								tabIndex={-1}
								style={{ '--level': Math.min(line.level, deepest) }}
								onPointerEnter={() => setPointed(line)}
								on:contextmenu={() => setActive(line.id)}
								on:click={event => onClick(line, event.target)}
							>
								<Show when={!line.isMore} fallback={<span class="tree-more">Show more …</span>}>
									<span class="tree-mark" classList={{ open: line.isOpen }}>
										<Show
											when={opens(line.node)}
											fallback={
												<Show when={props.isOfFields}>
													<ValueIcon line={line} column={props.uses?.column(tree().keys(line.node))} />
												</Show>
											}
										>
											<ChevronRight size={12} />
										</Show>
									</span>
									<Show when={line.node.depth > 0}>
										<span class="tree-key" title={String(line.node.member.key)}>
											<bdi>{line.node.member.key}</bdi>
										</span>
									</Show>
									<LineValue line={line} isOfFields={props.isOfFields === true} />
									<Show when={acting() === line}>
										<LineActions of={actionsOf(line.node)} />
									</Show>
								</Show>
							</div>
						)}
					</For>
				</div>
			</WithMenu>
			<Show when={!props.isOfFields && current()}>
				{line => (
					<footer class="tree-foot">
						<code class="tree-path" title={tree().path(line().node)}>
							{tree().path(line().node)}
						</code>
						<button type="button" class="button small" onClick={() => void copyText(tree().path(line().node))}>
							Copy path
						</button>
						<button type="button" class="button small" onClick={() => void copyText(tree().copy(line().node))}>
							Copy value
						</button>
					</footer>
				)}
			</Show>
		</div>
	)
}

/** A hash or an id, of which both ends tell which one it is. */
const longId = /^(?=.*\d)[\da-f-]{24,}$/i
const idEnd = 10

/** The value of a line. A long id in a column stays on one line: what does not fit is left out of its middle. */
function LineValue(props: { readonly line: DrawnLine; readonly isOfFields: boolean }): JSX.Element {
	const { node, preview } = props.line
	const isId = props.isOfFields && node.kind === 'text' && longId.test(preview)
	return (
		<span class={`tree-value tree-${node.kind}`} title={isId ? preview : undefined}>
			<Show when={isId} fallback={preview}>
				<span class="tree-id">
					<span>{preview.slice(0, -idEnd)}</span>
					<span>{preview.slice(-idEnd)}</span>
				</span>
			</Show>
		</span>
	)
}

/**
 * For the pointer alone: the keyboard has keys and the menu of the line. They cover no value: they stand behind one of
 * one line, and below the name of a higher one.
 */
function LineActions(props: { readonly of: readonly MenuEntry[] }): JSX.Element {
	let actions!: HTMLSpanElement
	const [place, setPlace] = createSignal<'behind' | 'below'>()
	onMount(() => {
		const value = actions.parentElement?.querySelector<HTMLElement>('.tree-value')
		if (!value) return
		const isHigh = value.offsetHeight > 1.5 * Number.parseFloat(getComputedStyle(value).lineHeight)
		setPlace(isHigh ? 'below' : 'behind')
	})
	return (
		<span
			ref={actions}
			class="tree-actions"
			classList={{ behind: place() === 'behind', below: place() === 'below' }}
			aria-hidden="true"
			on:click={event => event.stopPropagation()}
		>
			<For each={props.of.filter(({ isOnLine }) => isOnLine)}>
				{({ label, keys, isDisabled, Icon, run }) => (
					<span
						classList={{ disabled: isDisabled === true }}
						title={keys === undefined ? label : `${label} (${keysText(keys)})`}
						on:click={() => isDisabled || run()}
					>
						<Dynamic component={Icon} size={14} />
					</span>
				)}
			</For>
		</span>
	)
}

/** The kind of a value's column, or of the value itself, in the place of the arrow that others have. */
function ValueIcon(props: { readonly line: DrawnLine; readonly column: Column | undefined }): JSX.Element {
	const { node, preview } = props.line
	const kind = () => (node.kind === 'text' ? 'text' : /^(true|false)$/.test(preview) ? 'boolean' : 'number')
	return (
		<Show when={props.column || preview !== 'null'}>
			<KindIcon column={props.column ?? { kind: kind(), isSortable: true }} />
		</Show>
	)
}

/** Deeper values share one indentation. */
const deepest = 30

function drawnLines(tree: JsonTree, prefix: string, isOfFields: boolean): readonly DrawnLine[] {
	return tree.lines().map(({ node, isMore }) => ({
		id: `${prefix}-${node.member.start}${isMore ? '-more' : ''}`,
		node,
		isMore,
		isOpen: node.isOpen,
		level: Math.max(1, node.depth + (isMore ? 1 : 0)),
		preview: isMore ? '' : isOfFields ? tree.reading(node) : tree.preview(node),
	}))
}
