import { Dialog as Kobalte } from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import { type JSX, onCleanup } from 'solid-js'
import { FaultBoundary } from './fault-boundary.tsx'
import { focusFirst, focusReturn, OnceGone } from './focus-return.ts'

/**
 * When a step of a sheet is removed, the focus goes with it and Escape reaches no element. The sheet takes the focus
 * back.
 */
function keepFocus(sheet: HTMLElement): void {
	const observer = new MutationObserver(() => {
		if (document.activeElement === document.body) sheet.focus()
	})
	observer.observe(sheet, { childList: true, subtree: true })
	onCleanup(() => observer.disconnect())
}

/** Focuses the first field, or the first element if there is none, which closes the sheet. */
const places = ['.dialog-body :is(input, select, textarea):not(:disabled)', 'button']

/** A modal sheet with a title. Escape and the backdrop close it, and the focus returns. */
export function Dialog(props: {
	readonly title: string
	readonly size?: 'wide'
	/** It holds unsaved input, so a click on the backdrop does not close it. */
	readonly isHeld?: boolean
	/** It writes to a production connection or closes something of it. */
	readonly isProduction?: boolean
	readonly children: JSX.Element
	onClose(): void
}): JSX.Element {
	const giveFocusBack = focusReturn()
	let sheet!: HTMLElement
	return (
		<Kobalte open onOpenChange={isOpen => !isOpen && props.onClose()}>
			<Kobalte.Portal>
				<Kobalte.Overlay class="backdrop" />
				<div class="dialog-place">
					<Kobalte.Content
						ref={(content: HTMLElement) => {
							sheet = content
							keepFocus(content)
						}}
						onOpenAutoFocus={event => focusFirst(event, sheet, ...places)}
						class="dialog"
						classList={{ wide: props.size === 'wide', 'on-production': props.isProduction === true }}
						onCloseAutoFocus={giveFocusBack}
						onPointerDownOutside={event => props.isHeld && event.preventDefault()}
					>
						<header class="dialog-head">
							<Kobalte.Title class="dialog-title">{props.title}</Kobalte.Title>
							<Kobalte.CloseButton class="icon-button" aria-label="Close">
								<X size={16} />
							</Kobalte.CloseButton>
						</header>
						<FaultBoundary what="This sheet" wayOut={{ label: 'Close', run: () => props.onClose() }}>
							{props.children}
						</FaultBoundary>
						<OnceGone run={giveFocusBack} />
					</Kobalte.Content>
				</div>
			</Kobalte.Portal>
		</Kobalte>
	)
}
