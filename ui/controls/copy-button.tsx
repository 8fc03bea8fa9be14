import Copy from 'lucide-solid/icons/copy'
import { createSignal, type JSX } from 'solid-js'
import { IconButton } from './icon-button.tsx'

/** Puts a text on the clipboard. A browser may refuse that; the button then says so. */
export function CopyButton(props: { readonly label: string; readonly size?: number; text(): string }): JSX.Element {
	const [isRefused, setRefused] = createSignal(false)
	return (
		<IconButton
			label={props.label}
			{...(isRefused() && { tip: 'The browser does not let it be copied' })}
			isSmall
			onClick={() => copyText(props.text()).then(isCopied => setRefused(!isCopied))}
		>
			<Copy size={props.size ?? 14} />
		</IconButton>
	)
}

/** @returns whether the browser let it */
export function copyText(text: string): Promise<boolean> {
	return navigator.clipboard.writeText(text).then(
		() => true,
		() => false,
	)
}
