import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { askBeforeLeaving } from '../state/leaving.ts'

/**
 * Asks before the window is left while a transaction is open, and remembers that it was. The session of the engine ends
 * with its window, and another window has other sessions, so this is kept for the window and not in a record.
 * @returns whether the window was left with an open transaction, until a statement runs
 */
export function keepTransaction(
	{ connection, number }: { readonly connection: string; readonly number: number },
	runs: { transaction(): unknown; isRunning(): boolean },
): () => boolean {
	const key = `transaction/${connection}/${number}`
	const [wasLost, setLost] = createSignal(sessionStorage.getItem(key) !== null)
	sessionStorage.removeItem(key)
	const isOpen = () => runs.transaction() !== undefined
	askBeforeLeaving(isOpen)
	createEffect(
		on(
			isOpen,
			isOpen => {
				if (isOpen) sessionStorage.setItem(key, 'open')
				else sessionStorage.removeItem(key)
			},
			{ defer: true },
		),
	)
	createEffect(() => runs.isRunning() && setLost(false))
	onCleanup(() => sessionStorage.removeItem(key))
	return wasLost
}
