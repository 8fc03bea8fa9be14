import { Popover } from '@kobalte/core/popover'
import Bookmark from 'lucide-solid/icons/bookmark'
import Link from 'lucide-solid/icons/link'
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { copyText } from '../../controls/copy-button.tsx'
import { choiceOnceGone, focusFirst, OnceGone } from '../../controls/focus-return.ts'
import { showToast } from '../../controls/toasts.tsx'
import { useCommands } from '../../state/commands.tsx'
import { useRecords } from '../../state/host.tsx'
import { longestName, type SavedView } from './saved-view.ts'
import { createTableViews, type ViewedTable } from './table-views.ts'
import { ViewLine } from './view-line.tsx'
import { printLink, readLink } from './view-link.ts'

/** The saved views of a table: filters, range, sort and columns by name. */
export function ViewsMenu(props: {
	readonly table: ViewedTable
	/** The name of its connection. */
	readonly connection: string
	readonly isActive: boolean
	/** A view that another part of the window asks for. */
	readonly asked: SavedView | undefined
	onApplied(): void
	/** Asks whether the view of a link is opened. */
	onLink(link: string): void
}): JSX.Element {
	const table = createTableViews(useRecords(), props.table)
	createEffect(
		on(
			() => props.asked,
			asked => {
				if (!asked) return
				table.apply(asked)
				props.onApplied()
			},
		),
	)
	const [isOpen, setOpen] = createSignal(false)
	const choice = choiceOnceGone()
	let content!: HTMLDivElement
	useCommands(() =>
		props.isActive
			? [
					{ id: 'table.views', title: 'Saved views …', run: () => void setOpen(true) },
					{ id: 'table.copyLink', title: 'Copy a link to what is shown', run: () => void copyShown() },
					...table.views().map(view => ({
						id: `table.view.${view.name}`,
						title: `View: ${view.name}`,
						run: () => table.apply(view),
					})),
				]
			: [],
	)
	function apply(view: SavedView): void {
		choice.choose(() => table.apply(view))
		setOpen(false)
	}
	const linkTo = (view: SavedView) => printLink({ connection: props.connection, table: props.table.target.table, view })
	/** What is shown needs no saved name to be sent to a colleague: it has that of the table. */
	async function copyShown(): Promise<void> {
		const isCopied = await copyText(linkTo(table.shown(props.table.target.table)))
		showToast(isCopied ? 'Copied a link to what is shown.' : 'The browser did not allow the copy.')
	}
	function remove(view: SavedView): void {
		table.remove(view.name)
		showToast(`Deleted the view ${view.name}.`, { label: 'Undo', run: () => table.put(view) })
	}
	return (
		<Popover
			open={isOpen()}
			onOpenChange={isOpen => {
				choice.turned(isOpen)
				setOpen(isOpen)
			}}
		>
			<Popover.Trigger class="icon-button with-word word-last" aria-label="Saved views" title="Saved views">
				<Bookmark size={15} />
				<span aria-hidden="true">Views</span>
			</Popover.Trigger>
			<Popover.Portal>
				<Popover.Content
					ref={content}
					class="menu views-menu"
					aria-label="Saved views"
					onOpenAutoFocus={event => focusFirst(event, content, 'input')}
				>
					<NewView
						isKnown={name => table.views().some(view => view.name === name)}
						onSave={table.save}
						onLink={link => {
							choice.choose(() => props.onLink(link))
							setOpen(false)
						}}
					/>
					<ul class="views-list" aria-label="Saved views">
						<For
							each={table.views()}
							fallback={<li class="quiet">Save query, filters, range, sort and columns under a name.</li>}
						>
							{view => (
								<ViewLine
									view={view}
									link={() => linkTo(view)}
									onApply={() => apply(view)}
									onOverwrite={() => table.save(view.name)}
									onRename={name => {
										table.rename(view.name, name)
										// The list is in the order of the names, so the line is another one.
										const at = table.views().findIndex(view => view.name === name)
										content.querySelectorAll<HTMLButtonElement>('.views-name')[at]?.focus()
									}}
									onDelete={() => remove(view)}
								/>
							)}
						</For>
					</ul>
					<button
						type="button"
						class="views-name views-link"
						onClick={() => {
							setOpen(false)
							void copyShown()
						}}
					>
						<Link size={14} />
						Copy a link to what is shown
					</button>
					<OnceGone run={choice.gone} />
				</Popover.Content>
			</Popover.Portal>
		</Popover>
	)
}

/** The name of a new view. A link to a view can be pasted there. */
function NewView(props: {
	isKnown(name: string): boolean
	onSave(name: string): void
	onLink(link: string): void
}): JSX.Element {
	const [name, setName] = createSignal('')
	return (
		<form
			class="views-new"
			onSubmit={event => {
				event.preventDefault()
				if (name().trim() === '') return
				props.onSave(name())
				setName('')
			}}
		>
			<input
				type="text"
				aria-label="Name of the view"
				placeholder="Name, or paste a link to a view"
				autocomplete="off"
				spellcheck={false}
				maxLength={longestName}
				value={name()}
				onInput={event => setName(event.currentTarget.value)}
				onPaste={event => {
					const text = event.clipboardData?.getData('text/plain') ?? ''
					if (!readLink(text)) return
					event.preventDefault()
					props.onLink(text)
				}}
			/>
			<button type="submit" class="button primary" disabled={name().trim() === ''}>
				<Show when={props.isKnown(name().trim())} fallback="Save">
					Overwrite
				</Show>
			</button>
		</form>
	)
}
