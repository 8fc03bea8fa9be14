import { Text } from '@codemirror/state'
import type { Layout } from './lay-out.ts'

/** Bytes that are laid out at once, in less than the time of a frame. */
const sliceBytes = 128 * 1024

/** Lays out about `most` more characters, and yields to the window after each slice. @returns `undefined` if aborted */
export async function nextText(layout: Layout, most: number, signal: AbortSignal): Promise<Text | undefined> {
	let text: Text | undefined
	let length = 0
	while (!layout.isDone && length < most) {
		await new Promise(resolve => setTimeout(resolve))
		if (signal.aborted) return undefined
		const slice = Text.of(layout.next(sliceBytes))
		text = text ? text.append(between).append(slice) : slice
		length += slice.length
	}
	return text
}

/** End of a line. */
export const between = Text.of(['', ''])
