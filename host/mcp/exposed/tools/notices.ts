import { cutText } from '@roundhouse/kit'
import { driverText } from '../../protocol/outgoing-text.ts'

const [mostNotices, longestNotice] = [20, 500]

/** Returns a sentence of the engine or the driver as a model gets it: redacted, on one line, and not too long. */
export const shownNotice = (notice: string): string => cutText(driverText(notice), longestNotice)

/** Returns notices as a model gets them. A function of the engine can raise one for each row. */
export function shownNotices(notices: readonly string[]): readonly string[] {
	const left = notices.length - mostNotices
	const shown = notices.slice(0, mostNotices).map(shownNotice)
	return left > 0 ? [...shown, `And ${left} more notices.`] : shown
}
