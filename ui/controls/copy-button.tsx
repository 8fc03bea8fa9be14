import Copy from 'lucide-solid/icons/copy'
import { createSignal, type JSX } from 'solid-js'
import { IconButton } from './icon-button.tsx'

/** Copies a text to the clipboard. The button reports if the browser refuses. */
export function CopyButton(props: { readonly label: string; readonly size?: number; text(): string }): JSX.Element {
	const [isRefused, setRefused] = createSignal(false)
	return (
		<IconButton
			label={props.label}
			{...(isRefused() && { tip: 'The browser did not allow the copy' })}
			isSmall
			onClick={() => copyText(props.text()).then(isCopied => setRefused(!isCopied))}
		>
			<Copy size={props.size ?? 14} />
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
