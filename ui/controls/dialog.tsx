import { Dialog as Kobalte } from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import { createSignal, type JSX, onCleanup, Show, untrack } from 'solid-js'
import { FaultBoundary } from './fault-boundary.tsx'
import { focusFirst, focusReturn, OnceGone } from './focus-return.ts'

/**
 * When a step of a sheet is removed, the focus goes with it and Escape reaches no element. The sheet takes the focus
 * back.
 */
function keepFocus(sheet: HTMLElement): void {
	const takeBack = () => {
		if (document.activeElement === document.body) sheet.focus()
	}
	let last: EventTarget | null = null
	const note = ({ target }: FocusEvent) => {
		last = target
	}
	sheet.addEventListener('focusin', note)
	const observer = new MutationObserver(() => {
		// While a click moves the focus from one field to another, no element has it. Keys after a removal do not wait.
		if (last instanceof Node && last.isConnected) setTimeout(takeBack)
		else takeBack()
	})
	observer.observe(sheet, { childList: true, subtree: true })
	onCleanup(() => observer.disconnect())
}

/**
 * Selectors of the first focus: what the sheet marks, the first field, or the page that is shown. Else the sheet has it,
 * where Enter does nothing.
 */
const places = [
	'[data-autofocus]',
	'.dialog-body :is(input, select, textarea):not(:disabled)',
	'[role="tab"][aria-selected="true"]',
]

/** The number of open sheets. One above another is smaller, so that the one below stays visible. */
let openSheets = 0

/**
 * A sheet with a title. Escape and the backdrop close it, and the focus returns. It is modal, except
 * as a pane at the right of its tab: the user goes on in the tab.
 */
export function Dialog(props: {
	readonly title: string
	readonly size?: 'wide' | 'pane'
	/** It holds input that would be lost: Escape and the close button ask first, and the backdrop does not close it. */
	readonly isHeld?: boolean
	/** What it asks then, if it is not about typed input. */
	readonly heldWords?: HeldWords
	/** Like `isHeld`, but only after the user typed or chose something. */
	readonly holdsTyped?: boolean
	/** The dialog writes to a production connection or closes something that belongs to it. */
	readonly isProduction?: boolean
	readonly children: JSX.Element
	onClose(): void
}): JSX.Element {
	const giveFocusBack = focusReturn()
	const isPane = () => props.size === 'pane'
	const isOver = openSheets > 0
	// A pane lies beside, perhaps in a tab that is not shown.
	if (!untrack(isPane)) {
		openSheets++
		onCleanup(() => openSheets--)
	}
	let sheet!: HTMLElement
	const [isTyped, setTyped] = createSignal(false)
	const [isAsking, setAsking] = createSignal(false)
	const isFull = () => props.isHeld === true || (props.holdsTyped === true && isTyped())
	function close(): void {
		if (isAsking()) setAsking(false)
		else if (isFull()) setAsking(true)
		else props.onClose()
	}
	const Content = () => (
		<Kobalte.Content
			ref={(content: HTMLElement) => {
				sheet = content
				keepFocus(content)
			}}
			onOpenAutoFocus={event => focusFirst(event, sheet, ...places)}
			class="dialog"
			classList={{
				wide: props.size === 'wide',
				pane: isPane(),
				over: isOver,
				'on-production': props.isProduction === true,
			}}
			onCloseAutoFocus={giveFocusBack}
			onEscapeKeyDown={event => isPane() && !sheet.contains(document.activeElement) && event.preventDefault()}
			onInteractOutside={event => isPane() && event.preventDefault()}
			onPointerDownOutside={event => isFull() && event.preventDefault()}
			onInput={() => setTyped(true)}
			onPaste={() => setTyped(true)}
		>
			<header class="dialog-head">
				<Kobalte.Title class="dialog-title">{props.title}</Kobalte.Title>
				<Kobalte.CloseButton class="icon-button" aria-label="Close">
					<X size={16} />
				</Kobalte.CloseButton>
			</header>
			<FaultBoundary what="This sheet" recoveryAction={{ label: 'Close', run: () => props.onClose() }}>
				{props.children}
			</FaultBoundary>
			<Show when={isAsking()}>
				<HeldQuestion
					words={props.heldWords ?? ofTyped}
					onKeep={() => setAsking(false)}
					onLeave={() => props.onClose()}
				/>
			</Show>
			<OnceGone run={giveFocusBack} />
		</Kobalte.Content>
	)
	return (
		<Kobalte open modal={!isPane()} onOpenChange={isOpen => !isOpen && close()}>
			<Show when={!isPane()} fallback={<Content />}>
				<Kobalte.Portal>
					<Kobalte.Overlay class="backdrop" />
					<div class="dialog-place">
						<Content />
					</div>
				</Kobalte.Portal>
			</Show>
		</Kobalte>
	)
}

/** A question before a sheet closes, and its two answers. */
export interface HeldWords {
	readonly question: string
	readonly leave: string
	readonly keep: string
}

const ofTyped: HeldWords = { question: 'Discard what you entered?', leave: 'Discard', keep: 'Keep editing' }

/** Asks before typed input is lost, or what runs is stopped. */
function HeldQuestion(props: { readonly words: HeldWords; onKeep(): void; onLeave(): void }): JSX.Element {
	return (
		<div class="dialog-ask" role="alertdialog" aria-label={props.words.question}>
			<span class="grow">{props.words.question}</span>
			<button type="button" class="button" onClick={() => props.onLeave()}>
				{props.words.leave}
			</button>
			<button
				type="button"
				class="button primary"
				ref={button => queueMicrotask(() => button.focus())}
				onClick={() => props.onKeep()}
			>
				{props.words.keep}
			</button>
		</div>
	)
}
