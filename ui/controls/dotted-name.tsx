import { type JSX, Show } from 'solid-js'

/** The parts of a name before its last one: `http.response.`. */
const pathOf = (name: string) => name.slice(0, name.lastIndexOf('.', name.length - 2) + 1)

/** A name of a field. Where there is little room it loses its beginning: the last part tells which field it is. */
export function DottedName(props: { readonly name: string }): JSX.Element {
	return (
		<Show when={pathOf(props.name)} fallback={<span class="dotted-name">{props.name}</span>}>
			{/* Its parts are read as one word, without a blank between them. */}
			{path => (
				<span class="dotted-name in-parts" role="img" aria-label={props.name}>
					<span class="dotted-path">{path()}</span>
					<span class="dotted-leaf">{props.name.slice(path().length)}</span>
				</span>
			)}
		</Show>
	)
}
