import { Popover } from '@kobalte/core/popover'
import Columns3 from 'lucide-solid/icons/columns-3'
import { createSignal, For, type JSX } from 'solid-js'
import type { GridColumns } from './grid-columns.ts'

/** Which columns show. A wide index has thousands: search, and show all or none of what is found. */
export function ColumnsMenu(props: { readonly columns: GridColumns }): JSX.Element {
	const [search, setSearch] = createSignal('')
	const found = () => {
		const words = search().toLowerCase()
		return props.columns.all().filter(name => name.toLowerCase().includes(words))
	}
	return (
		<Popover>
			<Popover.Trigger class="icon-button" aria-label="Columns" title="Columns">
				<Columns3 size={15} />
			</Popover.Trigger>
			<Popover.Portal>
				<Popover.Content class="menu columns-menu" aria-label="Columns">
					<input
						type="search"
						aria-label="Search columns"
						placeholder={`Search ${props.columns.all().length} columns`}
						value={search()}
						onInput={event => setSearch(event.currentTarget.value)}
					/>
					<div class="columns-tools">
						<button type="button" class="button tiny" onClick={() => props.columns.show(found(), true)}>
							Show
						</button>
						<button type="button" class="button tiny" onClick={() => props.columns.show(found(), false)}>
							Hide
						</button>
						<button type="button" class="button tiny" onClick={() => props.columns.reset()}>
							Reset
						</button>
					</div>
					<ul class="columns-list">
						<For each={found().slice(0, mostListed)}>
							{name => (
								<li>
									<label class="option">
										<input
											type="checkbox"
											checked={props.columns.isShown(name)}
											onChange={event => props.columns.show([name], event.currentTarget.checked)}
										/>
										{name}
									</label>
								</li>
							)}
						</For>
					</ul>
				</Popover.Content>
			</Popover.Portal>
		</Popover>
	)
}

/** A list of thousands helps nobody; searching does. */
const mostListed = 300
