/** Content blocks of every kind. */

export const text = (words: string) => ({ type: 'text', text: words })

/** One transparent pixel. */
export const image = {
	type: 'image',
	data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	mimeType: 'image/png',
}

/** A sound without duration. */
export const sound = {
	type: 'audio',
	data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
	mimeType: 'audio/wav',
}

export const resource = (uri: string) => ({
	type: 'resource',
	resource: { uri, mimeType: 'text/plain', text: 'The text of an embedded resource.' },
})
