import { type Layout, type LayoutQuestion, laidOut } from './layout.ts'

/** A worker, because the layout of hundreds of tables would block the window. */

export type LayoutAnswer = { readonly layout: Layout } | { readonly fault: string }

self.addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
	let answer: LayoutAnswer
	try {
		answer = { layout: laidOut(data) }
	} catch (error) {
		answer = { fault: error instanceof Error ? error.message : String(error) }
	}
	self.postMessage(answer)
})
