import { batch, createSignal, onCleanup } from 'solid-js'
import type { Progress } from '../../host/ui-server/api.ts'
import type { CallOptions } from '../api/client.ts'
import { messageOf } from '../words/message-of.ts'

/**
 * Work that takes a while and can fail, as the window shows it: whether it runs, how far it is, what came of it. It has
 * one run at a time: a new one gives the old one up, and what still comes of that is dropped. It ends with its owner.
 */
export interface Task<A extends readonly unknown[], T> {
	/** Starts the work. Never rejects: `undefined` where it failed or was given up. */
	run(...args: A): Promise<T | undefined>
	/** The last answer. It stays while the work runs anew, and when that fails. */
	value(): T | undefined
	isRunning(): boolean
	progress(): Progress | undefined
	/** Why the last run failed, in words for the person. */
	error(): string | undefined
	/** Gives up what runs; nothing is said of it. */
	cancel(): void
	/** Runs once more what ran last. */
	retry(): void
	/** Gives up what runs, and forgets what came of it before. */
	clear(): void
}

/** `work` takes what a call of the host takes: the signal that gives it up, and where its progress goes. */
export function createTask<A extends readonly unknown[], T>(
	work: (call: Required<CallOptions>, ...args: A) => Promise<T>,
): Task<A, T> {
	const [value, setValue] = createSignal<T>()
	const [isRunning, setRunning] = createSignal(false)
	const [progress, setProgress] = createSignal<Progress>()
	const [error, setError] = createSignal<string>()
	let current: AbortController | undefined
	let again = () => {}

	/** Takes what came of a run, unless it is no longer the one that counts. */
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

/** A task that reads something to show: it begins at once, and `run` reads it again. */
export function createReading<T>(work: (call: Required<CallOptions>) => Promise<T>): Task<readonly [], T> {
	const task = createTask(work)
	void task.run()
	return task
}
