import Search from 'lucide-solid/icons/search'
import { type JSX, splitProps } from 'solid-js'

/** A field that searches what is below it while one types. Other attributes are those of its input. */
export function SearchField(
	props: Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'type' | 'value'> & {
		readonly 'aria-label': string
		readonly value: string
		onInput(text: string): void
	},
): JSX.Element {
	const [own, input] = splitProps(props, ['class', 'onInput'])
	return (
		<label class={own.class ?? 'search-box'}>
			<Search size={14} />
			<input {...input} type="search" onInput={event => own.onInput(event.currentTarget.value)} />
		</label>
	)
}
