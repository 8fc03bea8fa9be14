import { type JSX, Show } from 'solid-js'
import { count } from '../words/format.ts'

/** A text that is folded if it is long or has several lines: the summary has its beginning and its end. */
export function FoldedText(props: { readonly text: string; readonly maxLength: number }): JSX.Element {
	/** A character outside of the basic plane is not divided. */
	const whole = (part: string) => part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
	const summary = () => {
		const { text, maxLength } = props
		const tail = Math.floor(maxLength / 4)
		return text.length > maxLength ? `${whole(text.slice(0, maxLength - tail))} … ${whole(text.slice(-tail))}` : text
	}
	return (
		<Show when={props.text.length > props.maxLength || props.text.includes('\n')} fallback={props.text}>
			<details>
				<summary>
					{summary()} <span class="quiet">({count(props.text.length)} characters)</span>
				</summary>
				{props.text}
			</details>
		</Show>
	)
}
