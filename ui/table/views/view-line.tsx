import Pencil from 'lucide-solid/icons/pencil'
import Save from 'lucide-solid/icons/save'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { CopyButton } from '../../controls/copy-button.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { longestName, type SavedView } from './saved-view.ts'

/** One saved view with its actions. */
export function ViewLine(props: {
	readonly view: SavedView
	/** Returns a link to it. */
	link(): string
	onApply(): void
	onOverwrite(): void
	onRename(name: string): void
	onDelete(): void
}): JSX.Element {
	const [isRenaming, setRenaming] = createSignal(false)
	const { name } = props.view
	let line!: HTMLLIElement
	return (
		<li ref={line} class="views-line">
			<Show
				when={isRenaming()}
				fallback={
					<>
						<button type="button" class="views-name" title={`Show ${name}`} onClick={() => props.onApply()}>
							{name}
						</button>
						<IconButton
							label={`Overwrite ${name}`}
							tip="Save what is shown now"
							isSmall
							onClick={() => props.onOverwrite()}
						>
							<Save size={13} />
						</IconButton>
						<IconButton label={`Rename ${name}`} isSmall onClick={() => setRenaming(true)}>
							<Pencil size={13} />
						</IconButton>
						<CopyButton label={`Copy a link to ${name}`} size={13} text={() => props.link()} />
						<IconButton label={`Delete ${name}`} isSmall onClick={() => props.onDelete()}>
							<Trash size={13} />
						</IconButton>
					</>
				}
			>
				<NewName
					name={name}
					onDone={renamed => {
						setRenaming(false)
						// The field that had the focus is gone.
						line.querySelector<HTMLButtonElement>('.views-name')?.focus()
						if (renamed !== undefined && renamed !== name) props.onRename(renamed)
					}}
				/>
			</Show>
		</li>
	)
}

/** Enter renames, Escape does not. */
function NewName(props: { readonly name: string; onDone(name?: string): void }): JSX.Element {
	let field!: HTMLInputElement
	onMount(() => field.select())
	return (
		<input
			ref={field}
			type="text"
			aria-label={`New name of ${props.name}`}
			maxLength={longestName}
			spellcheck={false}
			value={props.name}
			onBlur={() => props.onDone()}
			onKeyDown={event => {
				if (event.key !== 'Enter' && event.key !== 'Escape') return
				// Escape would close the menu too.
				event.stopPropagation()
				event.preventDefault()
				const name = event.currentTarget.value.trim()
				props.onDone(event.key === 'Enter' && name !== '' ? name : undefined)
			}}
		/>
	)
}
