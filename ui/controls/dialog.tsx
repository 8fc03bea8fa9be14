import { Dialog as Kobalte } from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import { type JSX, onCleanup } from 'solid-js'
import { FaultBoundary } from './fault-boundary.tsx'

/**
 * A step of a sheet that goes takes the focus with it, and Escape would reach nobody: the sheet takes the focus back.
 */
function keepFocus(sheet: HTMLElement): void {
	const observer = new MutationObserver(() => {
		if (document.activeElement === document.body) sheet.focus()
	})
	observer.observe(sheet, { childList: true, subtree: true })
	onCleanup(() => observer.disconnect())
}

/** A modal sheet with a title; Escape and the backdrop close it, and focus returns to where it was. */
export function Dialog(props: {
	readonly title: string
	readonly size?: 'wide'
	readonly children: JSX.Element
	onClose(): void
}): JSX.Element {
	return (
		<Kobalte open onOpenChange={isOpen => !isOpen && props.onClose()}>
			<Kobalte.Portal>
				<Kobalte.Overlay class="backdrop" />
				<div class="dialog-place">
					<Kobalte.Content ref={keepFocus} class="dialog" classList={{ wide: props.size === 'wide' }}>
						<header class="dialog-head">
							<Kobalte.Title class="dialog-title">{props.title}</Kobalte.Title>
							<Kobalte.CloseButton class="icon-button" aria-label="Close">
								<X size={16} />
							</Kobalte.CloseButton>
						</header>
						<FaultBoundary what="This sheet" wayOut={{ label: 'Close', run: () => props.onClose() }}>
							{props.children}
						</FaultBoundary>
					</Kobalte.Content>
				</div>
			</Kobalte.Portal>
		</Kobalte>
	)
}
