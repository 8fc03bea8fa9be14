import Check from 'lucide-solid/icons/check'
import Copy from 'lucide-solid/icons/copy'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { IconButton } from './icon-button.tsx'

/** How long the button says that it copied. */
const saidMs = 2_000

/** Copies a text to the clipboard. The button shows a mark for a moment, or reports that the browser refuses. */
export function CopyButton(props: { readonly label: string; readonly size?: number; text(): string }): JSX.Element {
	const [outcome, setOutcome] = createSignal<'copied' | 'refused'>()
	let timer: ReturnType<typeof setTimeout> | undefined
	onCleanup(() => clearTimeout(timer))
	async function copy(): Promise<void> {
		const isCopied = await copyText(props.text())
		clearTimeout(timer)
		setOutcome(isCopied ? 'copied' : 'refused')
		if (isCopied) timer = setTimeout(() => setOutcome(undefined), saidMs)
	}
	const tip = () => (outcome() === 'copied' ? 'Copied' : 'The browser did not allow the copy')
	return (
		<IconButton label={props.label} {...(outcome() && { tip: tip() })} isSmall onClick={() => void copy()}>
			<Show when={outcome() === 'copied'} fallback={<Copy size={props.size ?? 14} />}>
				<Check size={props.size ?? 14} />
			</Show>
		</IconButton>
	)
}

/** @returns whether the browser allowed it */
export function copyText(text: string): Promise<boolean> {
	return navigator.clipboard.writeText(text).then(
		() => true,
		() => false,
	)
}
