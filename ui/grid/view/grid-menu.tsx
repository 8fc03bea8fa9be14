import { ContextMenu } from '@kobalte/core/context-menu'
import { For, type JSX } from 'solid-js'
import { useEngine } from '../../state/engine.tsx'
import { type CopyFormat, copyFormats } from '../export/copy.ts'

export interface MenuActions {
	openRow(): void
	edit(): void
	copy(format: CopyFormat): void
	setNull(): void
	removeField(): void
	toggleDeleted(): void
}

/** What can be done with the selection; the keys for it stand beside the words. */
export function GridMenu(props: { readonly actions: MenuActions; readonly children: JSX.Element }): JSX.Element {
	const { rowNoun } = useEngine()
	return (
		<ContextMenu>
			<ContextMenu.Trigger class="grid-menu-trigger">{props.children}</ContextMenu.Trigger>
			<ContextMenu.Portal>
				<ContextMenu.Content class="menu">
					<Item label={`Open ${rowNoun.one}`} keys="Space" onSelect={props.actions.openRow} />
					<Item label="Edit" keys="Enter" onSelect={props.actions.edit} />
					<ContextMenu.Separator class="menu-line" />
					<For each={copyFormats}>
						{format => (
							<Item
								label={`Copy as ${format}`}
								keys={format === 'TSV' ? 'Ctrl C' : ''}
								onSelect={() => props.actions.copy(format)}
							/>
						)}
					</For>
					<ContextMenu.Separator class="menu-line" />
					<Item label="Set null" keys="" onSelect={props.actions.setNull} />
					<Item label="Remove field" keys="" onSelect={props.actions.removeField} />
					<Item label="Delete or keep" keys="Delete" onSelect={props.actions.toggleDeleted} />
				</ContextMenu.Content>
			</ContextMenu.Portal>
		</ContextMenu>
	)
}

function Item(props: { readonly label: string; readonly keys: string; onSelect(): void }): JSX.Element {
	return (
		<ContextMenu.Item class="menu-item" onSelect={() => props.onSelect()}>
			<span>{props.label}</span>
			<span class="menu-keys">{props.keys}</span>
		</ContextMenu.Item>
	)
}
