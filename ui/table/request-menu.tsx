import { Popover } from '@kobalte/core/popover'
import Braces from 'lucide-solid/icons/braces'
import { createSignal, type JSX } from 'solid-js'
import { choiceOnceGone, OnceGone } from '../controls/focus-return.ts'
import { useEngine } from '../state/engine.tsx'
import { capital } from '../words/format.ts'

/** The request behind the view, with a way to open it in the console. */
export function RequestMenu(props: {
	readonly request: string | undefined
	onConsole(text: string): void
}): JSX.Element {
	const name = capital(useEngine().console.noun.one)
	const [isOpen, setOpen] = createSignal(false)
	const choice = choiceOnceGone()
	return (
		<Popover
			open={isOpen()}
			onOpenChange={isOpen => {
				choice.turned(isOpen)
				setOpen(isOpen)
			}}
		>
			<Popover.Trigger class="icon-button" aria-label={name} title={name} disabled={props.request === undefined}>
				<Braces size={15} />
			</Popover.Trigger>
			<Popover.Portal>
				<Popover.Content class="menu request-menu" aria-label={name}>
					<pre tabindex={0}>{props.request}</pre>
					<button
						type="button"
						class="button"
						onClick={() => {
							const { request } = props
							if (request !== undefined) choice.choose(() => props.onConsole(request))
							setOpen(false)
						}}
					>
						Open in the console
					</button>
					<OnceGone run={choice.gone} />
				</Popover.Content>
			</Popover.Portal>
		</Popover>
	)
}
