import { createSignal, onCleanup } from 'solid-js'
import type { FilterAnswer, FilterQuestion } from './filter-worker.ts'

/** Filters JSON by a JMESPath expression, in a worker that ends with its owner. */
export function createFilter(json: () => Uint8Array) {
	const [answer, setAnswer] = createSignal<FilterAnswer>()
	const [isBusy, setBusy] = createSignal(false)
	let worker: Worker | undefined
	let waiting: ReturnType<typeof setTimeout> | undefined

	function end(): void {
		clearTimeout(waiting)
		worker?.terminate()
		worker = undefined
	}
	onCleanup(end)

	function begin(): Worker {
		const begun = new Worker('filter-worker.js', { type: 'module' })
		begun.addEventListener('message', ({ data }: MessageEvent<FilterAnswer>) => {
			setBusy(false)
			setAnswer(data)
		})
		begun.addEventListener('error', () => {
			setBusy(false)
			setAnswer({ expression: '', fault: 'The filter could not start. Reload the window.' })
		})
		say(begun, { json: json() })
		return begun
	}

	return {
		answer,
		isBusy,
		/** Searches again after a pause in typing; an empty expression searches nothing. */
		look(expression: string): void {
			clearTimeout(waiting)
			if (expression.trim() === '') {
				setAnswer(undefined)
				setBusy(false)
				return
			}
			waiting = setTimeout(() => {
				// A search that still runs would finish first.
				if (isBusy()) end()
				worker ??= begin()
				setBusy(true)
				say(worker, { expression })
			}, pauseMs)
		},
	}
}

const pauseMs = 200

const say = (worker: Worker, question: FilterQuestion) => worker.postMessage(question)
