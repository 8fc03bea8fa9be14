import type { Layout, LayoutQuestion } from './layout.ts'
import type { LayoutAnswer } from './layout-worker.ts'

/** Computes a layout in a worker, which an abort ends. @throws Error if the worker fails; the signal's reason */
export async function layOut(question: LayoutQuestion, signal: AbortSignal): Promise<Layout> {
	signal.throwIfAborted()
	const worker = new Worker('layout-worker.js', { type: 'module' })
	const { promise, resolve, reject } = Promise.withResolvers<Layout>()
	const end = () => reject(signal.reason)
	signal.addEventListener('abort', end)
	worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) =>
		'layout' in data ? resolve(data.layout) : reject(new Error(data.fault)),
	)
	worker.addEventListener('error', () => reject(new Error('The layout could not start. Reload the window.')))
	worker.postMessage(question)
	try {
		return await promise
	} finally {
		signal.removeEventListener('abort', end)
		worker.terminate()
	}
}
