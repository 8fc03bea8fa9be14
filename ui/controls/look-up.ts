import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'

/** A text that is still being typed is not looked up. */
const debounceMs = 150

/**
 * Returns what is found for a typed text, debounced. The list is empty until the look-up of the newest text has answered.
 * @param source what is looked up in: a change of it looks the text up again
 */
export function createLookUp<T>(
	text: Accessor<string>,
	find: (text: string) => Promise<readonly T[]>,
	source: Accessor<unknown> = () => undefined,
): Accessor<readonly T[]> {
	const [found, setFound] = createSignal<readonly T[]>([])
	createEffect(
		on([text, source], ([typed], before) => {
			if (typed !== before?.[0]) setFound([])
			if (typed.trim() === '') return
			const timer = setTimeout(async () => {
				const answer = await find(typed)
				if (text() === typed) setFound(answer)
			}, debounceMs)
			onCleanup(() => clearTimeout(timer))
		}),
	)
	return found
}
