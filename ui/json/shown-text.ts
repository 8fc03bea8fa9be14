import { Text } from '@codemirror/state'
import type { Layout } from './lay-out.ts'

/** So many bytes are laid out at once, in well under the time of a frame. */
const sliceBytes = 128 * 1024

/** Lays out about `most` characters more, giving way to the window after each slice. @returns `undefined` where it was given up */
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

/** The end of a line. */
export const between = Text.of(['', ''])
