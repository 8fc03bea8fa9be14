import { batch, createContext, createSignal, onCleanup, useContext } from 'solid-js'
import type { Progress } from '../../host/api/api.ts'
import type { CallOptions } from '../api/client.ts'
import { messageOf } from '../words/message-of.ts'

/**
 * Work that takes time and can fail, as the window shows it: state, progress and outcome. One run at a time: a new run
 * aborts the previous one and drops its outcome. It is disposed with its owner.
 */
export interface Task<A extends readonly unknown[], T> {
	/** Starts the work. Never rejects: resolves to `undefined` on failure or abort. */
	run(...args: A): Promise<T | undefined>
	/** The last answer. It stays while the work runs again, and if that fails. */
	value(): T | undefined
	isRunning(): boolean
	progress(): Progress | undefined
	/** Why the last run failed, for the user. */
	error(): string | undefined
	/** Aborts the run without a message. */
	cancel(): void
	/** Repeats the last run. */
	retry(): void
	/** Aborts the run and clears the outcome. */
	clear(): void
}

/** `work` gets the options of a host call: an abort signal and a progress listener. */
export function createTask<A extends readonly unknown[], T>(
	work: (call: Required<CallOptions>, ...args: A) => Promise<T>,
): Task<A, T> {
	const [value, setValue] = createSignal<T>()
	const [isRunning, setRunning] = createSignal(false)
	const [progress, setProgress] = createSignal<Progress>()
	const [error, setError] = createSignal<string>()
	let current: AbortController | undefined
	let again = () => {}

	/** Applies the outcome of a run, unless a newer run has started. */
	function end(run: AbortController, take: () => void): boolean {
		if (current !== run) return false
		current = undefined
		batch(() => {
			take()
			setRunning(false)
			setProgress(undefined)
		})
		return true
	}

	async function run(...args: A): Promise<T | undefined> {
		current?.abort()
		const mine = new AbortController()
		current = mine
		again = () => void run(...args)
		batch(() => {
			setRunning(true)
			setProgress(undefined)
			setError(undefined)
		})
		try {
			const onProgress = (step: Progress) => void (current === mine && setProgress(step))
			const answer = await work({ signal: mine.signal, onProgress }, ...args)
			return end(mine, () => setValue(() => answer)) ? answer : undefined
		} catch (thrown) {
			end(mine, () => setError(messageOf(thrown)))
			return undefined
		}
	}

	function cancel(): void {
		const running = current
		running?.abort()
		if (running) end(running, () => {})
	}
	onCleanup(cancel)

	function clear(): void {
		cancel()
		batch(() => {
			setValue(undefined)
			setError(undefined)
		})
	}
	return { run, value, isRunning, progress, error, cancel, retry: () => again(), clear }
}

/** Notes the first read of a part of a page (opening.tsx). Returns a function for its end. */
export const OpeningContext = createContext<() => () => void>()

/** A task that reads something to show: it starts at once, and `run` reads again. */
export function createReading<T>(work: (call: Required<CallOptions>) => Promise<T>): Task<readonly [], T> {
	const task = createTask(work)
	const ended = useContext(OpeningContext)?.()
	void task.run().then(ended)
	return task
}
