import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'

/** A text that is still being typed is not looked up. */
const restMs = 150

/** Returns what is found for a typed text, in an engine for example: nothing until the answer to the newest text is there. */
export function createLookUp<T>(
	text: Accessor<string>,
	find: (text: string) => Promise<readonly T[]>,
): Accessor<readonly T[]> {
	const [found, setFound] = createSignal<readonly T[]>([])
	createEffect(
		on(text, typed => {
			setFound([])
			if (typed.trim() === '') return
			const timer = setTimeout(async () => {
				const answer = await find(typed)
				if (text() === typed) setFound(answer)
			}, restMs)
			onCleanup(() => clearTimeout(timer))
		}),
	)
	return found
}
