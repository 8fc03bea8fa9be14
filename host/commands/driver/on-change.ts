import { watch } from 'node:fs'

/** Editors write a file in several steps. */
const settleMs = 50

/** Calls `work` after changes of a source, one call at a time. Changes during a call lead to one more. */
export function onChange(folder: string, work: () => Promise<void>): AsyncDisposable {
	let timer: NodeJS.Timeout | undefined
	let running = Promise.resolve()
	let isDue = false
	const watcher = watch(folder, { recursive: true }, (_, name) => {
		if (name === null || /(^|[\\/])(node_modules|\.)|\.tgz$/.test(name)) return
		clearTimeout(timer)
		timer = setTimeout(() => {
			if (isDue) return
			isDue = true
			running = running.then(() => {
				isDue = false
				return work()
			})
		}, settleMs)
	})
	return {
		[Symbol.asyncDispose]: async () => {
			watcher.close()
			clearTimeout(timer)
			await running
		},
	}
}
