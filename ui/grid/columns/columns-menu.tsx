import { Popover } from '@kobalte/core/popover'
import Columns3 from 'lucide-solid/icons/columns-3'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { choiceOnceGone, focusFirst, OnceGone } from '../../controls/focus-return.ts'
import { count, firstNames } from '../../words/format.ts'
import type { GridColumns } from './grid-columns.ts'

/** Which columns show. An index may have thousands: search for some, then show all, none or only the matches. */
export function ColumnsMenu(props: {
	readonly columns: GridColumns
	/** Scrolls to a column. */
	onGo(name: string): void
}): JSX.Element {
	const [search, setSearch] = createSignal('')
	const [isOpen, setOpen] = createSignal(false)
	const choice = choiceOnceGone()
	let content!: HTMLDivElement
	function go(name: string | undefined): void {
		if (name === undefined) return
		choice.choose(() => props.onGo(name))
		setOpen(false)
	}
	/** Those with the searched text, or one of several, in their names. */
	const found = () => {
		const texts = search().toLowerCase().split(',')
		const wanted = texts.map(text => text.trim()).filter(text => text !== '')
		const all = props.columns.all()
		if (wanted.length === 0) return all
		// In a list, a whole name means that column and not others that contain it.
		const whole = new Set(wanted.length > 1 ? all.filter(name => wanted.includes(name.toLowerCase())) : [])
		const parts = wanted.filter(text => ![...whole].some(name => name.toLowerCase() === text))
		return all.filter(name => whole.has(name) || parts.some(text => name.toLowerCase().includes(text)))
	}
	function showOnly(names: readonly string[]): void {
		const { all, show } = props.columns
		const wanted = new Set(names)
		show(names, true)
		show(
			all().filter(name => !wanted.has(name)),
			false,
		)
	}
	return (
		<Popover
			open={isOpen()}
			onOpenChange={isOpen => {
				choice.turned(isOpen)
				setOpen(isOpen)
			}}
		>
			<Popover.Trigger class="icon-button with-word word-last" aria-label="Columns" title="Columns">
				<Columns3 size={15} />
				<span aria-hidden="true">Columns</span>
			</Popover.Trigger>
			<Popover.Portal>
				<Popover.Content
					ref={content}
					class="menu columns-menu"
					aria-label="Columns"
					onOpenAutoFocus={event => focusFirst(event, content, 'input')}
				>
					<input
						type="search"
						aria-label="Search columns"
						placeholder={`Find in ${props.columns.all().length}, for example ${props.columns.all().slice(0, 2).join(', ')}`}
						value={search()}
						onInput={event => setSearch(event.currentTarget.value)}
						onKeyDown={event => event.key === 'Enter' && go(found()[0])}
					/>
					<div class="columns-tools">
						<button type="button" class="button tiny" onClick={() => props.columns.show(found(), true)}>
							Show
						</button>
						<button type="button" class="button tiny" onClick={() => props.columns.show(found(), false)}>
							Hide
						</button>
						<button
							type="button"
							class="button tiny"
							title="Shows these columns and hides the others"
							disabled={search().trim() === '' || found().length === 0}
							onClick={() => showOnly(found())}
						>
							Only these
						</button>
						<button type="button" class="button tiny" onClick={() => props.columns.reset()}>
							Reset
						</button>
					</div>
					<Show when={props.columns.foldable().length > 0}>
						<label class="option quiet" title={firstNames(props.columns.foldable())}>
							<input
								type="checkbox"
								checked={!props.columns.isFolded()}
								onChange={event => props.columns.fold(!event.currentTarget.checked)}
							/>
							Empty columns and columns with one value
						</label>
					</Show>
					<Show when={props.columns.wrapping()}>
						{name => (
							<label class="option quiet">
								<input
									type="checkbox"
									checked={props.columns.isTall()}
									onChange={event => props.columns.setTall(event.currentTarget.checked)}
								/>
								Three lines of {name()}
							</label>
						)}
					</Show>
					<ul class="columns-list">
						<For each={found().slice(0, mostListed)}>
							{name => (
								<li class="columns-line">
									<label class="option">
										<input
											type="checkbox"
											checked={props.columns.isShown(name)}
											onChange={event => props.columns.show([name], event.currentTarget.checked)}
										/>
										{name}
									</label>
									<button type="button" class="button tiny" aria-label={`Go to ${name}`} onClick={() => go(name)}>
										Go to
									</button>
								</li>
							)}
						</For>
					</ul>
					<Show when={found().length > mostListed}>
						<p class="hint">{count(found().length - mostListed)} more columns are found by their name.</p>
					</Show>
					<OnceGone run={choice.gone} />
				</Popover.Content>
			</Popover.Portal>
		</Popover>
	)
}

/** A list of thousands is no help without a search. */
const mostListed = 300
