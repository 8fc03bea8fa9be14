/** How a client writes its configuration down: where in such a text our entry stands, and the text with or without it. */
export interface ConfigForm {
	/** What stands at the place, as `write` takes it; `undefined` where nothing does. @throws UnreadableConfig */
	read(text: string, place: Place): unknown
	/** The text with a value there, everything else as it was. @throws UnreadableConfig */
	write(text: string, place: Place, value: unknown): string
	/** The text without it, and without the section around it where that is `ours` and empty now. */
	remove(text: string, place: Place, ours: { readonly section: boolean; readonly file: boolean }): string
	/** Whether there is a section for such entries. */
	hasSection(text: string, place: Place): boolean
}

/** The section for servers, and our name in it. */
export type Place = readonly [section: string, name: string]

/** A text that is not of its form, or is written in a way that we do not dare to change. */
export class UnreadableConfig extends Error {}

export function lineEndOf(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n'
}
