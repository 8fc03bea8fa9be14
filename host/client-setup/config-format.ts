/** A file format of configurations: reads, writes and removes an entry. */
export interface ConfigFormat {
	/** Returns the entry, in a form that `write` accepts, or `undefined` if it is missing. @throws UnreadableConfig */
	read(text: string, entryPath: ConfigPath): unknown
	/** Returns the text with the entry set, and everything else unchanged. @throws UnreadableConfig */
	write(text: string, entryPath: ConfigPath, value: unknown): string
	/**
	 * Returns the text without the entry. Also removes the section and the file if Roundhouse `created` them and they are
	 * empty.
	 */
	remove(text: string, entryPath: ConfigPath, created: { readonly section: boolean; readonly file: boolean }): string
	/** Whether the text has a section for server entries. */
	hasSection(text: string, entryPath: ConfigPath): boolean
}

/** Path of an entry: the section for servers, and the name of the server. */
export type ConfigPath = readonly [section: string, name: string]

/** A text that is malformed, or that uses syntax that cannot be changed safely. */
export class UnreadableConfig extends Error {}

export function lineEndOf(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n'
}
