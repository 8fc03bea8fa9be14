import { createEffect, createSignal, onCleanup } from 'solid-js'
import { count } from '../words/format.ts'

/** Returns how long work has been running, as the end of a text: ` 1 min 5 s`. Empty in the first second. */
export function createElapsed(isRunning: () => boolean): () => string {
	const [seconds, setSeconds] = createSignal(0)
	createEffect(() => {
		setSeconds(0)
		if (!isRunning()) return
		const since = performance.now()
		const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1000)
		onCleanup(() => clearInterval(timer))
	})
	const minutes = () => Math.floor(seconds() / 60)
	return () => `${minutes() > 0 ? ` ${count(minutes())} min` : ''}${seconds() > 0 ? ` ${seconds() % 60} s` : ''}`
}
